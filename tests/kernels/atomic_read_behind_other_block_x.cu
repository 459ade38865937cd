// expect: race-free=refuted barriers=proved
// spmd: block=64
// The barrier orders the updates of its own block alone.
__global__ void peek(int *count, int *out) {
  atomicAdd(count, 1);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = count[0];
}
