// expect: race-free=proved
// One thread sets the block's pointer, a barrier follows.
// spmd: grid=1
__global__ void k(float *a, int n) {
  __shared__ float *row;
  if (threadIdx.x == 0) row = a + n;
  __syncthreads();
  row[threadIdx.x] = 1;
}
