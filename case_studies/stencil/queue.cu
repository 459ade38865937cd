// spmd: block=16,8 grid=(nx+15)/16,(ny+7)/8 nx=35 ny=19 nz=9 require nx >= 3, ny >= 3, nz >= 3, nx <= 1024, ny <= 1024, nz <= 1024
// 2.5 dimensions: a thread walks up a column, three of its cells in registers.
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, plane = nx * ny;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
  int i = y * nx + x;
  float below = in[i], here = in[i + plane];
  for (int z = 1; z < nz - 1; z++) {
    i += plane;
    float above = in[i + plane];
    out[i] = c0 * here + c1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above);
    below = here;
    here = above;
  }
}
