// expect: race-free=unknown barriers=refuted
// spmd: block=64 grid=1
// The upper half has ended; the barrier still orders what the lower half does before and after it.
__global__ void k(int *out) {
  __shared__ int kept[64];
  kept[threadIdx.x] = threadIdx.x;
  if (threadIdx.x >= 32) return;
  __syncthreads();
  out[threadIdx.x] = kept[threadIdx.x + 32];
}
