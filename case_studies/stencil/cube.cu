// spmd: block=8,8,4 grid=(nx+5)/8,(ny+5)/8,(nz+1)/4 nx=35 ny=19 nz=9 require nx >= 3, ny >= 3, nz >= 3, nx <= 1024, ny <= 1024, nz <= 1024
// A cube of 8 × 8 × 4 cells and the halo around it in shared memory, loaded by all threads in turn.
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1) {
  __shared__ float cube[6][10][10];
  int x0 = blockIdx.x * 8, y0 = blockIdx.y * 8, z0 = blockIdx.z * 4;
  int own = (threadIdx.z * 8 + threadIdx.y) * 8 + threadIdx.x;
  for (int k = own; k < 6 * 10 * 10; k += 256) {
    int x = x0 + k % 10, y = y0 + k / 10 % 10, z = z0 + k / 100;
    cube[k / 100][k / 10 % 10][k % 10] = x < nx && y < ny && z < nz ? in[(z * ny + y) * nx + x] : 0.0f;
  }
  __syncthreads();  // the cube is loaded
  int a = threadIdx.x + 1, b = threadIdx.y + 1, c = threadIdx.z + 1;
  if (x0 + a >= nx - 1 || y0 + b >= ny - 1 || z0 + c >= nz - 1) return;
  out[((z0 + c) * ny + y0 + b) * nx + x0 + a] =
      c0 * cube[c][b][a] + c1 * (cube[c][b][a - 1] + cube[c][b][a + 1] + cube[c][b - 1][a] + cube[c][b + 1][a] +
                                 cube[c - 1][b][a] + cube[c + 1][b][a]);
}
