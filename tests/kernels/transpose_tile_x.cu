// expect: race-free=refuted
// spmd: block=8,8 grid=(w+7)/8,(h+7)/8 require w > 0, h > 0, w <= 10000, h <= 10000
// The store lacks its guard on the row's length.
__global__ void transpose(const int *in, int *out, int w, int h) {
  __shared__ int tile[8][9];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x < w && y < h ? in[y * w + x] : 0;
  __syncthreads();
  int tx = blockIdx.y * 8 + threadIdx.x, ty = blockIdx.x * 8 + threadIdx.y;
  if (ty < w) out[ty * h + tx] = tile[threadIdx.x][threadIdx.y];
}
