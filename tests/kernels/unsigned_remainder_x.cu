// expect: race-free=refuted
// spmd: block=10 grid=1
// 0 - 3 wraps to 2^32 - 3, which leaves 3 modulo 10, as thread 6 does.
__global__ void ring(const int *in, int *out) {
  out[(threadIdx.x - 3u) % 10u] = in[threadIdx.x];
}
