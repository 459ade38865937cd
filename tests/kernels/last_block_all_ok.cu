// expect: race-free=proved barriers=proved
// spmd: require count[0] == 0
// All threads store, fence, and meet; one counts its block; all threads of the last block fence before they read.
__global__ void total(int *part, unsigned *count, int *out, int n) {
  __shared__ bool last;
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  part[at] = at;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(count, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    __threadfence();
    int sum = 0;
    for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += part[i];
    out[threadIdx.x] = sum;
  }
}
