// expect: race-free=proved
// spmd: block=32 grid=1
// The offset stands first, and is a cell for each thread.
__global__ void store_by_offset(const int *in, int *out) {
  *(2 * threadIdx.x + out) = in[threadIdx.x];
}
