// expect: race-free=proved
// spmd: block=64 grid=1
// No signed byte is 255.
__global__ void full(const signed char *in, int *out) {
  if (in[threadIdx.x] == 255) out[0] = threadIdx.x;
}
