// At every size; odd and even cells in two branches.
__global__ void raise_split(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) out[i] = in[i] + 1;
  else out[i] = 1 + in[i];
}
