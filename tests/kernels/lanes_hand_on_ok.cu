// expect: verdict=proved
// spmd: block=32,2 grid=1 require rows >= 1 && rows <= 2
// Each warp has one row, of which all lanes have a value, or none.
__global__ void k(float *out, const float *in, int rows) {
  float held;
  if (threadIdx.y < rows) held = in[threadIdx.y * 32 + threadIdx.x];
  float other = __shfl_xor_sync(0xffffffff, held, 16);
  if (threadIdx.y < rows) out[threadIdx.y * 32 + threadIdx.x] = other;
}
