// expect: race-free=proved
// spmd: require count[0] == 0
// The last block sums what all have stored, with a fence and a counter between, and a barrier before the flag is read.
__global__ void total(int *out, const int *in, int *part, unsigned *count) {
  __shared__ int flag;
  __shared__ bool last;
  if (threadIdx.x == 0) flag = in[0] + blockIdx.x;
  __syncthreads();
  int mine = flag;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    int sum = 0;
    for (int block = 0; block < gridDim.x; block++) sum += part[block];
    out[blockIdx.x] = sum;
  }
}
