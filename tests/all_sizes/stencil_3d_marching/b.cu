// spmd: block=16,8 grid=(nx+15)/16,(ny+7)/8 x[nx*ny*nz] out[nx*ny*nz] require nx > 2, ny > 2, nz > 2, nx <= 1000, ny <= 1000, nz <= 1000
__global__ void laplace_marching(const float *x, float *out, int nx, int ny, int nz) {
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1) return;
  int plane = nx * ny, at = j * nx + i;
  float below = x[at], here = x[at + plane];
  for (int k = 1; k < nz - 1; k++) {
    at += plane;
    float above = x[at + plane];
    out[at] = below + above + x[at - nx] + x[at + nx] + x[at - 1] + x[at + 1] - 6.0f * here;
    below = here;
    here = above;
  }
}
