// expect: race-free=proved barriers=proved
// spmd: block=64
// Each round of the loop is parted from the next by two barriers of the warp.
__global__ void pass(int *out, int rounds) {
  __shared__ int s[64];
  int t = threadIdx.x, next = t / 32 * 32 + (t + 1) % 32, mine = t;
  for (int k = 0; k < rounds; k++) {
    s[t] = mine;
    __syncwarp();
    mine = s[next];
    __syncwarp();
  }
  out[blockIdx.x * 64 + t] = mine;
}
