// spmd: block=64 grid=ny-2,nz-2 nx=35 ny=19 nz=9 require nx >= 3, ny >= 3, nz >= 3, ny <= 1024, nz <= 1024, nx <= 64
// A block a row of inner cells: the row lies in shared memory, its four neighbouring rows come from global memory.
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1) {
  __shared__ float row[64];
  int x = threadIdx.x, y = blockIdx.x + 1, z = blockIdx.y + 1, i = (z * ny + y) * nx + x;
  if (x < nx) row[x] = in[i];
  __syncthreads();  // the row is loaded
  if (x >= 1 && x < nx - 1)
    out[i] = c0 * row[x] + c1 * (row[x - 1] + row[x + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
}
