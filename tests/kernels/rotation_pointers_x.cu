// expect: race-free=refuted barriers=proved
// The pointers change places before the barrier, but the store goes through the one that is read.
// spmd: block=128 grid=1 require rounds >= 0
__global__ void smooth(float *x, float *y, int rounds) {
  int t = threadIdx.x;
  float *from = x, *to = y;
  for (int r = 0; r < rounds; r++) {
    from[t] = from[t] + from[(t + 5) % 128];
    __syncthreads();
    float *kept = to;
    to = from;
    from = kept;
  }
}
