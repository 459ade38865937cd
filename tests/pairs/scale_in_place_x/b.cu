// spmd: block=32,2 grid=(w+31)/32,(h+7)/8 require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void scale_four(float *data, float f, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h) data[y * w + x] *= f;
  for (int k = 0; k < 4; k++) {
    y = blockIdx.y * 8 + 2 * k + threadIdx.y;
    if (x < w && y < h) data[y * w + x] *= f;
  }
}
