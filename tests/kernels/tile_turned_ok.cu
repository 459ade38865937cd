// expect: bounds=proved race-free=proved order-free=proved
// spmd: block=16,8 grid=1
// Rows first.
__global__ void turned(const float *in, float *out) {
  __shared__ float tile[8][16];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[16 * y + x];
  __syncthreads();
  out[8 * x + y] = tile[y][x];
}
