// expect: race-free=proved barriers=proved
// spmd: require start[i] < start[i + 1]
// Starts that grow: no two threads write one cell.
__global__ void heads(int *out, const int *start, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[start[i]] = i;
}
