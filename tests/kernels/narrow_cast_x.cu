// expect: race-free=refuted barriers=proved
// spmd: block=256 grid=1
// The cast to eight bits maps thread 0 and thread 128 to one cell.
__global__ void narrow_cast(const int *in, int *out) {
  int t = threadIdx.x;
  out[(unsigned char)(2 * t)] = in[t];
}
