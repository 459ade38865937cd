// expect: race-free=refuted
// spmd: require distinct(idx)
// What the kernel itself has written to the array is not what it held at first.
__global__ void scatter(int *out, int *idx, int n) {
  int i = threadIdx.x;
  idx[i] = 0;
  __syncthreads();
  out[idx[i]] = i;
}
