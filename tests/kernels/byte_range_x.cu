// expect: race-free=refuted
// spmd: block=64 grid=1
// An unsigned byte may be 255.
__global__ void full(const unsigned char *in, int *out) {
  if (in[threadIdx.x] == 255) out[0] = threadIdx.x;
}
