// The same for all threads of the grid.
__global__ void strided_grid(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = 2.0f * a[i];
}
