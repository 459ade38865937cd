// At every size; the last thread of a block is forgotten.
__global__ void raise_most(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x + 1 < blockDim.x) out[i] = in[i] + 1;
}
