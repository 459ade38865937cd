// In place, each pair by two threads: both swap the same two cells.
__global__ void reverse(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  a[n - 1 - i] = a[i];
}
