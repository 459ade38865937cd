// expect: race-free=refuted
// spmd: block=64 grid=1
// NaN differs from itself.
__global__ void strange(const float *in, int *out) {
  float v = in[threadIdx.x];
  if (v != v) out[0] = threadIdx.x;
}
