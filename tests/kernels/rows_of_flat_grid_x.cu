// expect: race-free=refuted
// spmd: block=8,16 require m >= 1, n >= 0
// Each thread has up to two rows of m cells and one more, which the next one has too.
__global__ void three_rows(float *a, int n, int m) {
  int first = (blockDim.y * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) + threadIdx.y) * 2;
  int most = n - first;
  if (most > 3) most = 3;
  a += first * m + threadIdx.x;
  for (int i = 0; i < most; ++i)
    for (int it = 0; it < 16; it += 8)
      if ((int)threadIdx.x + it < m) a[i * m + it] = i + 4 * blockIdx.x;
}
