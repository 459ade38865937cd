// expect: race-free=refuted
// spmd: block=32 grid=1
// The store through *(p + e) must not be lost: two threads share each cell.
__global__ void store_by_offset(const int *in, int *out) {
  *(out + threadIdx.x / 2) = in[threadIdx.x];
}
