// expect: race-free=proved order-free=proved bounds=proved
// A thread's own array, indexed by a value that is not constant.
__global__ void pick(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int table[4] = {1, 2, 4, 8};
  out[i] = table[in[i] & 3];
}
