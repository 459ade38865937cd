// expect: order-free=proved race-free=proved
// spmd: block=64 grid=1
// The lower half fills the upper half too.
__global__ void shared_unset(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = in[t];
    s[t + 32] = 0;
  }
  __syncthreads();
  out[t] = s[63 - t];
}
