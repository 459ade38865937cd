// expect: race-free=refuted
// spmd: block=64 grid=1
// The data may let two threads through.
__global__ void last_positive(const int *in, int *out) {
  if (in[threadIdx.x] > 0) out[0] = threadIdx.x;
}
