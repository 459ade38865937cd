// spmd: block=256 grid=(w+255)/256 x[w*h] out[w] require w > 0, w <= 20000, h >= 0, h <= 20000
__global__ void column_sum_reduced(const float *x, float *out, int w, int h) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= w) return;
  float s = 0.0f;
  int end = w * h;
  for (int at = i; at < end; at += w) s += x[at];
  out[i] = s;
}
