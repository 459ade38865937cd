// expect: race-free=proved
// spmd: block=64 grid=1
// Whatever the data choose, the two cells are the thread's own.
__global__ void chosen_by_data(const int *in, int *out) {
  int t = threadIdx.x;
  int j = in[t] > 0 ? 2 * t : 2 * t + 1;
  out[j] = in[t];
}
