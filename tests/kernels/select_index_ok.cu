// expect: race-free=proved
// spmd: block=64 grid=1
// The select interleaves the two halves.
__global__ void select_index(const int *in, int *out) {
  int t = threadIdx.x;
  out[t < 32 ? 2 * t : 2 * (t - 32) + 1] = in[t];
}
