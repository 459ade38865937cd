// expect: race-free=refuted
// spmd: block=256 grid=131072
// Above 2^24 a float has no room for the last bit: what would be apart on the reals is not.
__global__ void k(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 16777216 && i < 16777218) out[(int)(float)i] = i;
}
