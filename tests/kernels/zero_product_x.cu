// expect: race-free=refuted
// spmd: block=2 grid=1
// -1 times 0.0f is -0, 0 times 0.0f is +0.
__global__ void zero(float *out) {
  int t = threadIdx.x;
  out[0] = (t - 1) * 0.0f;
}
