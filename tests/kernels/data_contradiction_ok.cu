// expect: race-free=proved
// spmd: block=64 grid=2
// Nobody writes in, so both reads give one value, which cannot meet both guards.
__global__ void never(const int *in, int *out) {
  if (in[threadIdx.x] > 5 && in[threadIdx.x] < 3) out[0] = threadIdx.x;
}
