// expect: race-free=proved
// A pointer variable that holds one row, then another.
__global__ void k(float **rows, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float *p = rows[0];
  for (int i = 0; i < m; i++) {
    if (i == 3) p = rows[1];
    p[j] += 1.0f;
  }
}
