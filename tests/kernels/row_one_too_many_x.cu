// expect: race-free=refuted
// Nineteen cells a thread in steps of eighteen: the last of one is the first of the next, and holds another value.
__global__ void fill(float *a) {
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * 18;
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
  a[base + 17] = 17.0f;
  a[base + 18] = 18.0f;
}
