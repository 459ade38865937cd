// expect: race-free=refuted barriers=proved
// spmd: require gridDim.x >= 2
// Nobody knows with what the counter begins: another block may think that it is the last.
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
