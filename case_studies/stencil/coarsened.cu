// spmd: block=8,8 grid=(nx+15)/16,(ny+7)/8,nz nx=35 ny=19 nz=9 require nx >= 3, ny >= 3, nz >= 3, nx <= 1024, ny <= 1024, nz <= 1024
// Two cells a thread, half a block's width apart.
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1) {
  int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z, plane = nx * ny;
  if (y < 1 || y >= ny - 1 || z < 1 || z >= nz - 1) return;
  for (int k = 0; k < 2; k++) {
    int x = (blockIdx.x * 2 + k) * blockDim.x + threadIdx.x;
    int i = z * plane + y * nx + x;
    if (x >= 1 && x < nx - 1)
      out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane]);
  }
}
