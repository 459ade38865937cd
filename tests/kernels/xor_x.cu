// expect: race-free=refuted
// spmd: block=64 grid=1
// Clearing a bit joins pairs of cells.
__global__ void permute(const int *in) {
  __shared__ int s[64];
  s[threadIdx.x & ~4] = in[threadIdx.x];
}
