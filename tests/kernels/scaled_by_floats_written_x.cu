// expect: race-free=refuted
// Cells that are chosen by a scale are written: two coordinates may come to one.
__global__ void scale(int *out, int w, float fx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) out[(int)(x * fx)] = x;
}
