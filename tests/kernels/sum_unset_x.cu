// expect: order-free=refuted
// spmd: block=32 grid=1
// The sum starts from nothing in particular.
__global__ void sum_unset(const float *in, float *out) {
  float sum;
  for (int k = 0; k < 3; k++) sum += in[3 * threadIdx.x + k];
  out[threadIdx.x] = sum;
}
