// expect: race-free=proved barriers=proved
// spmd: block=32 grid=1
// In one block the barrier orders the equal writes before the reads.
__global__ void flag(int *flag, int *out) {
  flag[0] = 1;
  __syncthreads();
  out[threadIdx.x] = flag[0];
}
