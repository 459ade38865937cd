// expect: race-free=refuted barriers=proved
// spmd: block=64
// The second barrier is gone: a lane writes for the next round while its neighbour still reads.
__global__ void pass(int *out, int rounds) {
  __shared__ int s[64];
  int t = threadIdx.x, next = t / 32 * 32 + (t + 1) % 32, mine = t;
  for (int k = 0; k < rounds; k++) {
    s[t] = mine;
    __syncwarp();
    mine = s[next];
  }
  out[blockIdx.x * 64 + t] = mine;
}
