// expect: race-free=proved
// spmd: block=4 grid=1
// Integers add in any order, so both threads store the same value.
__global__ void sum(const int *in, int *out) {
  if (threadIdx.x == 0) out[0] = (in[0] + in[1]) + in[2];
  if (threadIdx.x == 1) out[0] = in[0] + (in[1] + in[2]);
}
