// expect: verdict=unsupported message=where the kernel writes such pointers
// The table is written through a pointer to a cell.
__global__ void k(float **rows, float *x) {
  float **q = &rows[1];
  if (!threadIdx.x) *q = x;
  rows[0][threadIdx.x] = 1;
}
