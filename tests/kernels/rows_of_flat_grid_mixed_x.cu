// expect: race-free=refuted
// spmd: block=8,16 require m >= 1, m <= 8
// Each thread has two rows of m cells; the axes of the grid are mixed up.
__global__ void mixed_up(float *a, int m) {
  int first = (blockDim.y * (blockIdx.x + gridDim.y * (blockIdx.y + gridDim.x * blockIdx.z)) + threadIdx.y) * 2;
  a += first * m + threadIdx.x;
  for (int i = 0; i < 2; ++i)
    if (threadIdx.x < m) a[i * m] = i + 4 * blockIdx.x;
}
