// spmd: block=128 grid=(n+127)/128 p[3*n] v[3*n] require n > 0, n <= 100000
__global__ void drift(float *p, const float *v, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int c = 0; c < 3; c++) p[3 * i + c] = v[3 * i + c] * dt;
}
