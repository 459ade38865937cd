// Neighbours share a cell. Neither the test nor the index hangs on data: whoever raises the alarm knows that it is true.
__global__ void cidi(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i / 2] = i;
}
