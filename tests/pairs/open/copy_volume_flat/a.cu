// spmd: block=8,8,4 grid=(nx+7)/8,(ny+7)/8,(nz+3)/4 require nx > 0, ny > 0, nz > 0, nx <= 1000, ny <= 1000, nz <= 1000
__global__ void copy(const float *in, float *out, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < nx && j < ny && k < nz) out[(k * ny + j) * nx + i] = in[(k * ny + j) * nx + i];
}
