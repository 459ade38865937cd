// expect: race-free=refuted barriers=proved
// A value that fits where four rounds use it wraps in the fifth, where another line uses it a round later.
__global__ void late(int *flags, unsigned n) {
  __shared__ int last[1];
  unsigned step = 0, before = 0;
  for (unsigned i = 0; i < n; i++) {
    if (i < 4 && step == 5) flags[7] = 1;
    if (i > 1 && before == 0) last[0] = threadIdx.x;
    __syncthreads();
    before = step;
    step += 0x40000000u;
  }
}
