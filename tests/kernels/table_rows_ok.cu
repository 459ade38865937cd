// expect: verdict=proved
// Each row of an array of pointers is an array of its own, the same for all threads.
__global__ void k(float **rows, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m)
    for (int i = 0; i < n; i++) rows[i][j] = 1.0f;
}
