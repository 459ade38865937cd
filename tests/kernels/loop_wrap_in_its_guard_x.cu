// expect: race-free=refuted barriers=proved
// That a value was small in the round before must not be taken from a test that reads it as if it never wrapped.
__global__ void turn(int *table, unsigned n) {
  unsigned now = 0, before = 0;
  for (unsigned i = 0; i < n; i++) {
    if (i > 0 && before < 100 && threadIdx.x == 0 && (i == 1) == (blockIdx.x == 0)) table[now / 0x40000000u] = blockIdx.x;
    __syncthreads();
    before = now;
    now += 0x40000000u;
  }
}
