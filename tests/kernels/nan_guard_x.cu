// expect: race-free=refuted
// spmd: block=64 grid=1
// NaN is neither below zero nor not below it.
__global__ void strange(const float *in, int *out) {
  float v = in[threadIdx.x];
  if (!(v < 0.0f) && !(v >= 0.0f)) out[0] = threadIdx.x;
}
