// spmd: block=64 grid=n a[n*n] x[n] y[n] require n > 0, n <= 20000
__global__ void trmv_block(const float *a, const float *x, float *y, int n) {
  __shared__ float part[64];
  int t = threadIdx.x, i = blockIdx.x;
  float s = 0.0f;
  for (int j = t; j < i + 1; j += 64) s += a[i * n + j] * x[j];
  part[t] = s;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) y[i] = part[0];
}
