// spmd: block=8,32 grid=(w+7)/8,(h+31)/32 require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void turn_8_32(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * w + y] = in[y * w + x];
}
