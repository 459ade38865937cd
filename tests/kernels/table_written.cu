// expect: verdict=unsupported message=where the kernel writes such pointers
// Who reads a row may see the old pointer or the new one.
__global__ void k(float **rows, float *other) {
  if (threadIdx.x == 0) rows[1] = other;
  rows[0][threadIdx.x] = 2.0f;
}
