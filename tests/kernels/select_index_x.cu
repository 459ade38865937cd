// expect: race-free=refuted
// spmd: block=64 grid=1
// The select folds the upper half of the block onto the lower.
__global__ void select_index(const int *in, int *out) {
  int t = threadIdx.x;
  out[t < 32 ? t : t - 32] = in[t];
}
