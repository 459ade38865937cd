// expect: race-free=proved barriers=proved
// spmd: block=128 grid=1
// With 128 threads the doubled index still fits into eight bits.
__global__ void narrow_cast(const int *in, int *out) {
  int t = threadIdx.x;
  out[(unsigned char)(2 * t)] = in[t];
}
