// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void turn_16_16(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
