// spmd: block=16,4,2 grid=(nx+15)/16,(ny+3)/4,(nz+1)/2 x[nx*ny*nz] out[nx*ny*nz] require nx > 2, ny > 2, nz > 2, nx <= 1000, ny <= 1000, nz <= 1000
__global__ void laplace(const float *x, float *out, int nx, int ny, int nz) {
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 4 + threadIdx.y, k = blockIdx.z * 2 + threadIdx.z;
  if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  int at = (k * ny + j) * nx + i, plane = nx * ny;
  out[at] = x[at - plane] + x[at + plane] + x[at - nx] + x[at + nx] + x[at - 1] + x[at + 1] - 6.0f * x[at];
}
