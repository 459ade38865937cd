// spmd: block=64 grid=(n+63)/64 x[n*dim] y[k*dim] out[n*k] require n > 0, k > 0, n <= 10000, k <= 10000, dim >= 0, dim <= 10000
__global__ void distances_expanded(const float *x, const float *y, float *out, int n, int k, int dim) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  float xx = 0.0f;
  for (int d = 0; d < dim; d++) xx += x[i * dim + d] * x[i * dim + d];
  for (int c = 0; c < k; c++) {
    float yy = 0.0f, xy = 0.0f;
    for (int d = 0; d < dim; d++) {
      yy += y[c * dim + d] * y[c * dim + d];
      xy += x[i * dim + d] * y[c * dim + d];
    }
    out[i * k + c] = xx - 2.0f * xy + yy;
  }
}
