// spmd: block=256 grid=(nx*ny*nz+255)/256 require nx > 0, ny > 0, nz > 0, nx <= 1000, ny <= 1000, nz <= 1000
__global__ void copy_flat(const float *in, float *out, int nx, int ny, int nz) {
  int l = blockIdx.x * 256 + threadIdx.x;
  if (l < nx * ny * nz) out[l] = in[l];
}
