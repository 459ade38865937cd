// expect: race-free=refuted
// The last block sums what all have stored, with a fence and a counter between; but a block's own flag is read with nothing between.
__global__ void total(int *out, int *part, unsigned *count) {
  __shared__ int flag;
  __shared__ bool last;
  if (threadIdx.x == 0) flag = out[0] + blockIdx.x;
  int mine = flag;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int block = 0; block < gridDim.x; block++) sum += part[block];
    out[1 + blockIdx.x] = sum;
  }
}
