// spmd: block=16,4 grid=(w+15)/16,(h+15)/16 require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void turn_coarse(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x;
  for (int k = 0; k < 16; k += 8) {
    int y = blockIdx.y * 16 + threadIdx.y + k;
    if (x < w && y < h) out[x * h + y] = in[y * w + x];
  }
}
