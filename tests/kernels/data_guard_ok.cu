// expect: race-free=proved
// spmd: block=64 grid=1
// The cell in[0] names one thread at most.
__global__ void chosen(const int *in, int *out) {
  if (in[0] == threadIdx.x) out[0] = threadIdx.x;
}
