// expect: race-free=proved
// spmd: block=64 grid=1
// Numbers below 64 are exact in a float.
__global__ void there_and_back(const int *in, int *out) {
  float f = threadIdx.x;
  out[(int)f] = in[threadIdx.x];
}
