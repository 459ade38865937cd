// expect: race-free=proved
// The same with a barrier before the flag is read: that nobody sees the end of the loop is no race.
__global__ void wait(int *out, volatile int *flag) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = flag[1] + 1;
  __syncthreads();
  int mine = ready, seen = 0;
  while (flag[0] < 1000000000) seen += mine;
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine + seen;
}
