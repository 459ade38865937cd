// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void scale(float *data, float f, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) data[y * w + x] *= f;
}
