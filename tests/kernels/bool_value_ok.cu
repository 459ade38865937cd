// expect: race-free=proved
// spmd: block=64 grid=1
// A bool that is set from a 2 is 1.
__global__ void truth(const int *in, int *out) {
  bool b = in[threadIdx.x];
  if (b == 2) out[0] = threadIdx.x;
}
