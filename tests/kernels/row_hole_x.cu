// expect: race-free=refuted
// Seventeen cells of a row belong to the thread; one read in the midst of it goes to its neighbour.
__global__ void fill(float *a, float *b) {
  int base = threadIdx.x * 17;
  a[base + 0] = 0.0f;
  a[base + 1] = 1.0f;
  a[base + 2] = 2.0f;
  a[base + 3] = 3.0f;
  a[base + 4] = 4.0f;
  a[base + 5] = 5.0f;
  a[base + 6] = 6.0f;
  a[base + 7] = 7.0f;
  a[base + 8] = 8.0f;
  a[base + 9] = 9.0f;
  a[base + 10] = 10.0f;
  a[base + 11] = 11.0f;
  a[base + 12] = 12.0f;
  a[base + 13] = 13.0f;
  a[base + 14] = 14.0f;
  a[base + 15] = 15.0f;
  a[base + 16] = 16.0f;
  b[threadIdx.x] = a[base + 0] + a[base + 1] + a[base + 2] + a[base + 3] + a[base + 4] + a[base + 5] + a[base + 6] + a[base + 7] + a[base + 8] + a[base + 26] + a[base + 10] + a[base + 11] + a[base + 12] + a[base + 13] + a[base + 14] + a[base + 15] + a[base + 16];
}
