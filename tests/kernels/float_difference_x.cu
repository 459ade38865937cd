// expect: race-free=refuted
// spmd: block=64 grid=1
// NaN - NaN and infinity - infinity are not zero.
__global__ void difference(const float *in, float *out) {
  out[0] = in[threadIdx.x] - in[threadIdx.x];
}
