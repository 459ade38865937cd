// expect: bounds=refuted
// spmd: block=64
// The same through a pointer, in some launches.
__constant__ int table[64];
__global__ void fill(const int *in, int *other, int n) {
  int *to = n > 7 ? table : other;
  to[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];
}
