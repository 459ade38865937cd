// expect: race-free=refuted
// spmd: block=32 grid=1
// One warp is no excuse: its lanes are not in step.
__global__ void swap_pairs(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  out[t] = s[t ^ 1];
}
