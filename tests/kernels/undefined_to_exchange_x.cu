// expect: order-free=refuted race-free=proved
// spmd: block=32 grid=1
// Partial sums that nobody has written are added up by shuffles.
__global__ void sum(const float *in, float *out) {
  __shared__ float part[32];
  int t = threadIdx.x;
  if (t < 4) part[t] = in[t];
  __syncthreads();
  float v = part[t];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t == 0) out[0] = v;
}
