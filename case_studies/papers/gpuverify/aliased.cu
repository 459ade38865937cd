// One pointer in, one out: nothing says that they are apart.
__global__ void aliased(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i + 1];
}
