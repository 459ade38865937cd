// expect: race-free=refuted barriers=proved
// The places change in every second round alone.
// spmd: block=64 grid=1 require rounds >= 0
__global__ void some(float *x, float *y, int rounds) {
  int t = threadIdx.x;
  float *from = x, *to = y;
  for (int r = 0; r < rounds; r++) {
    to[t] = from[t] + 1;
    if (r > 0 && t > 0) to[t] += from[t - 1];
    __syncthreads();
    if (r % 2 == 0) {
      float *kept = to;
      to = from == x ? y : x;
      from = kept;
    }
    from[t] = 0;
  }
}
