// expect: order-free=refuted
// spmd: block=16,2 grid=1 require rows >= 1 && rows <= 2
// A warp has two rows, of which one may have no value: the other gets it.
__global__ void k(float *out, const float *in, int rows) {
  float held;
  if (threadIdx.y < rows) held = in[threadIdx.y * 16 + threadIdx.x];
  float other = __shfl_xor_sync(0xffffffff, held, 16);
  if (threadIdx.y < rows) out[threadIdx.y * 16 + threadIdx.x] = other;
}
