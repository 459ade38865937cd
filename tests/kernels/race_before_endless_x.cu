// expect: race-free=refuted
// Thread 0 sets a flag that others read with nothing between; then all wait for a value that no made-up memory holds.
__global__ void wait(int *out, volatile int *flag) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = out[blockIdx.x] + 1;
  int mine = ready, seen = 0;
  while (flag[0] < 1000000000) seen += mine;
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine + seen;
}
