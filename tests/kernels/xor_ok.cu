// expect: race-free=proved bounds=proved
// spmd: block=64 grid=1
// Exclusive or with a constant permutes the cells.
__global__ void permute(const int *in) {
  __shared__ int s[64];
  s[threadIdx.x ^ 37] = in[threadIdx.x];
}
