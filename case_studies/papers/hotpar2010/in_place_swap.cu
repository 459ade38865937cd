// In place, each pair by one thread: the lower half of the threads swaps with the upper half. One segment, any number of blocks.
__global__ void reverse(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  if (i < n / 2) {
    int low = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = low;
  }
}
