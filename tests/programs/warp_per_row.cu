// expect: race-free=proved barriers=proved order-free=proved
// spmd: require blockDim.x % 32 == 0
// at: block=256 grid=4 nrows=32 ncols=500
// Rows scaled by their sums, a warp a row, in strides.
__global__ void rows(const float *in, float *out, int nrows, int ncols) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= nrows) return;
  float s = 0;
  for (int i = lane; i < ncols; i += 32) s += in[warp * ncols + i];
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
  for (int i = lane; i < ncols; i += 32) out[warp * ncols + i] = in[warp * ncols + i] / s;
}
