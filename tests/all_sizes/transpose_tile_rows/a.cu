// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 in[w*h] out[w*h] require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void transpose(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
