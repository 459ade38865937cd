// spmd: block=64 grid=(w+63)/64 x[w*h] out[w] require w > 0, w <= 20000, h >= 0, h <= 20000
__global__ void column_sum(const float *x, float *out, int w, int h) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= w) return;
  float s = 0.0f;
  for (int j = 0; j < h; j++) s += x[j * w + i];
  out[i] = s;
}
