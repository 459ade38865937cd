// expect: race-free=proved barriers=proved
// spmd: require distinct(idx)
// A scatter through indices of which no two are equal.
__global__ void scatter(float *out, const int *idx, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[idx[i]] = x[i];
}
