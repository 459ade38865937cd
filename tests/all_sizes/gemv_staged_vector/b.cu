// spmd: block=64 grid=(m+63)/64 a[m*n] x[n] y[m] require m > 0, n >= 0, m <= 20000, n <= 20000
__global__ void gemv_staged(const float *a, const float *x, float *y, int m, int n) {
  __shared__ float xs[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float s = 0.0f;
  for (int first = 0; first < n; first += 64) {
    if (first + t < n) xs[t] = x[first + t];
    __syncthreads();
    if (i < m)
      for (int j = 0; j < 64 && first + j < n; j++) s += a[(first + j) * m + i] * xs[j];
    __syncthreads();
  }
  if (i < m) y[i] = s;
}
