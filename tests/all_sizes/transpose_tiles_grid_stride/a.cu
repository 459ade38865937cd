// spmd: block=256 grid=(w*h+255)/256 in[w*h] out[w*h] require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void transpose(const int *in, int *out, int w, int h) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < w * h) out[i % w * h + i / w] = in[i];
}
