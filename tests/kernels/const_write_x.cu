// expect: bounds=refuted
// spmd: block=64
// Constant memory is the host's to write.
__constant__ int table[64];
__global__ void fill(const int *in, int *out) {
  if (blockIdx.x == 0) table[threadIdx.x] = in[threadIdx.x];
  out[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];
}
