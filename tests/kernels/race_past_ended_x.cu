// expect: race-free=refuted barriers=refuted
// spmd: block=64
// Only thread 0 comes to the barriers: devices that do not wait for the others race on the state of all blocks.
__global__ void k(int *state, int *out) {
  if (threadIdx.x == 0) {
    int at = state[0];
    __syncthreads();
    state[0] = at + 1;
    __syncthreads();
    out[blockIdx.x] = at;
  }
}
