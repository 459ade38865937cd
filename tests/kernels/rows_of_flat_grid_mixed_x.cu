// expect: race-free=refuted
// spmd: block=8,16 require m >= 1, n >= 0
// Each thread has up to two rows of m cells; the axes of the grid are mixed up.
__global__ void mixed_up(float *a, int n, int m) {
  int first = (blockDim.y * (blockIdx.x + gridDim.y * (blockIdx.y + gridDim.x * blockIdx.z)) + threadIdx.y) * 2;
  int most = n - first;
  if (most > 2) most = 2;
  a += first * m + threadIdx.x;
  for (int i = 0; i < most; ++i)
    for (int it = 0; it < 16; it += 8)
      if ((int)threadIdx.x + it < m) a[i * m + it] = i + 4 * blockIdx.x;
}
