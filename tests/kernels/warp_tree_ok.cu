// expect: race-free=proved barriers=proved
// spmd: block=32
// A tree within a warp, a barrier of the warp after each step.
__global__ void sum(const int *in, int *out, int steps) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 32 + t];
  s[t + 32] = 0;
  __syncwarp();
  for (int d = 16; d > 0; d >>= 1) {
    int other = s[t + d];
    __syncwarp();
    s[t] = s[t] + other;
    __syncwarp();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
