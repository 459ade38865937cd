// expect: race-free=refuted
// spmd: require distinct(idx), 0 <= idx[i] && idx[i] < m
// Indices of which no two are equal, but two neighbours are used by each thread.
__global__ void scatter(float *out, const int *idx, const float *x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[idx[i]] = x[i];
    out[idx[i + 1]] = x[i] + i;
  }
}
