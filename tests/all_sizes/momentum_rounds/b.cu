// spmd: block=128 grid=(n+127)/128 p[n] v[n] g[n] require n > 0, n <= 1000000, rounds >= 0
__global__ void descend_registers(float *p, float *v, const float *g, float lr, float mu, int n, int rounds) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n || rounds == 0) return;
  float at = p[i], speed = v[i], grad = g[i];
  do {
    speed = mu * speed + grad;
    at = at - lr * speed;
  } while (--rounds > 0);
  p[i] = at;
  v[i] = speed;
}
