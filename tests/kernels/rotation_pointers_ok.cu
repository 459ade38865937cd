// expect: race-free=proved barriers=proved
// Two pointers change places after each round, and a barrier parts the rounds.
// spmd: block=128 grid=1 require rounds >= 0
__global__ void smooth(float *x, float *y, int rounds) {
  int t = threadIdx.x;
  float *from = x, *to = y;
  for (int r = 0; r < rounds; r++) {
    to[t] = from[t] + from[(t + 5) % 128];
    __syncthreads();
    float *kept = to;
    to = from;
    from = kept;
  }
}
