// spmd: block=32,8 grid=(w+31)/32,(h+7)/8 require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void turn_rectangle(const float *in, float *out, int w, int h) {
  __shared__ float tile[8][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
  tile[ty][tx] = x < w && y < h ? in[y * w + x] : 0.0f;
  __syncthreads();
  int l = ty * 32 + tx;
  int r = l / 8, c = l % 8;
  int row = blockIdx.x * 32 + r, col = blockIdx.y * 8 + c;
  if (row < w && col < h) out[row * h + col] = tile[c][r];
}
