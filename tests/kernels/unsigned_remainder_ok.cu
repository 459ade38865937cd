// expect: race-free=proved
// spmd: block=10 grid=1
// Counted upwards nothing wraps.
__global__ void ring(const int *in, int *out) {
  out[(threadIdx.x + 7u) % 10u] = in[threadIdx.x];
}
