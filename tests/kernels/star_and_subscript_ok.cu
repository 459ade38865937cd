// expect: race-free=proved
// spmd: block=32 grid=1
// *out is out[0], and thread 0 alone writes it.
__global__ void star_and_subscript(const int *in, int *out) {
  int t = threadIdx.x;
  if (t == 0) *out = in[0];
  else out[t] = in[t];
}
