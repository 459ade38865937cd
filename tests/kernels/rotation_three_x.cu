// expect: race-free=refuted barriers=proved
// Three rows of shared memory change places: one is stored to while others read it.
// spmd: block=64
__global__ void waves(float *out, const float *in, int rounds) {
  __shared__ float rows[3][64];
  int t = threadIdx.x, older = 0, old = 1, now = 2;
  rows[0][t] = in[t];
  rows[1][t] = in[t + 64];
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    rows[old][t] = 2 * rows[old][(t + 1) % 64] - rows[older][t];
    __syncthreads();
    int last = older;
    older = old;
    old = now;
    now = last;
  }
  out[blockIdx.x * 64 + t] = rows[old][t];
}
