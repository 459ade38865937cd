// expect: race-free=proved
// spmd: block=64 grid=1
// No value is both below zero and not below it.
__global__ void strange(const float *in, int *out) {
  float v = in[threadIdx.x];
  if (v < 0.0f && v >= 0.0f) out[0] = threadIdx.x;
}
