// expect: bounds=refuted race-free=proved
// spmd: block=64 grid=1
// The last thread writes one past the end.
__global__ void shifted(const int *in) {
  __shared__ int s[64];
  s[threadIdx.x + 1] = in[threadIdx.x];
}
