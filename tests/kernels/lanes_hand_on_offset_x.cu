// expect: order-free=refuted
// spmd: block=32 grid=1
// From how far a lane takes the value has none itself.
__global__ void k(float *out, const float *in, int n) {
  int far;
  if (n > 3) far = 1;
  out[threadIdx.x] = __shfl_down_sync(0xffffffff, in[threadIdx.x], far);
}
