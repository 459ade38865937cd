// expect: race-free=refuted
// spmd: block=1 grid=2
// One thread a block, but two blocks.
__global__ void alone(const float *in, float *out) {
  out[0] = in[blockIdx.x];
}
