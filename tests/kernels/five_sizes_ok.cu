// expect: race-free=proved order-free=proved
// An index over five sizes, each thread at its own place in three of them and in loops over the others.
__global__ void fill(float *out, int na, int ne, int nx, int ny, int no) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, o = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || o >= no) return;
  for (int e = 0; e < ne; e++)
    for (int a = 0; a < na; a++)
      for (int u = 0; u < 4; u++) out[a + na * (u + 4 * (e + ne * (x + nx * (y + ny * o))))] = a + u + e;
}
