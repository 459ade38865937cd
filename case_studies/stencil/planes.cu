// spmd: block=16,8 grid=(nx+13)/16,(ny+5)/8 nx=35 ny=19 nz=9 require nx >= 3, ny >= 3, nz >= 3, nx <= 1024, ny <= 1024, nz <= 1024
// The plane at hand lies in shared memory with its halo, the planes below and above in registers.
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1) {
  __shared__ float tile[10][18];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, plane = nx * ny;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 8 + ty, i = y * nx + x;
  bool inside = x < nx && y < ny, inner = x < nx - 1 && y < ny - 1;
  float below = inside ? in[i] : 0.0f, here = inside ? in[i + plane] : 0.0f;
  for (int z = 1; z < nz - 1; z++) {
    i += plane;
    tile[ty][tx] = here;
    if (tx == 1 && inside) tile[ty][0] = in[i - 1];
    if (tx == 16 && inner) tile[ty][17] = in[i + 1];
    if (ty == 1 && inside) tile[0][tx] = in[i - nx];
    if (ty == 8 && inner) tile[9][tx] = in[i + nx];
    __syncthreads();  // the plane is loaded
    float above = inside ? in[i + plane] : 0.0f;
    if (inner)
      out[i] = c0 * here + c1 * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + below + above);
    below = here;
    here = above;
    __syncthreads();  // the plane is used
  }
}
