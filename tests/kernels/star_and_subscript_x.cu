// expect: race-free=refuted
// spmd: block=32 grid=1
// *(out + 1) is out[1], which thread 1 writes as well.
__global__ void star_and_subscript(const int *in, int *out) {
  int t = threadIdx.x;
  if (t == 0) *(out + 1) = in[0];
  else out[t] = in[t];
}
