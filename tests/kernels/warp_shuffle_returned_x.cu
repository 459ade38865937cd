// expect: order-free=unknown race-free=proved
// spmd: block=32 grid=1
// The tail of the warp has returned, and is asked for its value.
__global__ void tail(const float *in, float *out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  v += __shfl_down_sync(0xffffffffu, v, 16);
  if (i < 16) out[i] = v;
}
