// expect: race-free=refuted
// spmd: block=64 grid=1
// The data choose the index; two neighbours can meet.
__global__ void chosen_by_data(const int *in, int *out) {
  int t = threadIdx.x;
  int j;
  if (in[t] > 0) j = t;
  else j = t + 1;
  out[j] = in[t];
}
