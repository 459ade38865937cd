// expect: race-free=refuted
// spmd: block=2 grid=1
// +0 and -0 compare equal and are different bits.
__global__ void signed_zero(float *out) {
  out[0] = threadIdx.x == 0 ? 0.0f : -0.0f;
}
