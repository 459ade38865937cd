// expect: race-free=refuted
// spmd: require count[0] == 0
// A block early: the one that comes last but one sums.
__global__ void total(int *part, unsigned *count, int *out, int n) {
  __shared__ bool last;
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  part[at] = at;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(count, 1u) == gridDim.x - 2;
  __syncthreads();
  if (last) {
    __threadfence();
    int sum = 0;
    for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += part[i];
    out[threadIdx.x] = sum;
  }
}
