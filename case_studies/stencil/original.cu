// spmd: block=16,8 grid=(nx+15)/16,(ny+7)/8,nz nx=35 ny=19 nz=9 require nx >= 3, ny >= 3, nz >= 3, nx <= 1024, ny <= 1024, nz <= 1024
// 7-point stencil in three dimensions; one thread an inner cell, the border is left as it is.
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1 || z < 1 || z >= nz - 1) return;
  int i = (z * ny + y) * nx + x;
  out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
}
