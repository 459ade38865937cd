// expect: race-free=refuted
// An index over five sizes, and the stride of y is that of another size.
__global__ void fill(float *out, int na, int ne, int nx, int ny, int no) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, o = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || o >= no) return;
  for (int e = 0; e < ne; e++)
    for (int a = 0; a < na; a++)
      for (int u = 0; u < 4; u++) out[a + na * (u + 4 * (e + ne * (x + ne * (y + ny * o))))] = a + u + e + x;
}
