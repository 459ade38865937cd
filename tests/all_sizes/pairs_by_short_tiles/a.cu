// spmd: block=128 grid=(n+127)/128 f[n] p[n] require n > 0, n <= 1000000
__global__ void pulled(const float2 *p, float *f, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float2 me = p[i];
  float sum = 0.0f;
  for (int j = 0; j < n; j++) {
    float d = p[j].x - me.x;
    sum += p[j].y * d / (d * d + 0.5f);
  }
  f[i] = sum;
}
