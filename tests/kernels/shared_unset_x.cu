// expect: order-free=refuted race-free=proved
// spmd: block=64 grid=1
// Only the lower half of the tile was filled.
__global__ void shared_unset(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 32) s[t] = in[t];
  __syncthreads();
  out[t] = s[63 - t];
}
