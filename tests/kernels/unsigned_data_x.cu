// expect: race-free=refuted
// spmd: block=64 grid=1
// The largest unsigned value plus one is smaller.
__global__ void largest(const unsigned *in, int *out) {
  unsigned v = in[threadIdx.x];
  if (v + 1u < v) out[0] = threadIdx.x;
}
