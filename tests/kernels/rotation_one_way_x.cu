// expect: race-free=refuted barriers=proved
// What looks like a swap loses one of the two pointers.
// spmd: block=64 grid=1 require rounds >= 0
__global__ void lost(float *x, float *y, int rounds) {
  int t = threadIdx.x;
  float *from = x, *to = y;
  for (int r = 0; r < rounds; r++) {
    to[t] = from[t] + from[(t + 1) % 64];
    __syncthreads();
    from = to;
    to = from;
  }
}
