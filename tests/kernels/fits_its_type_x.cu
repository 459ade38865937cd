// expect: no-wrap=refuted
// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 require w > 0, h > 0, w <= 100000, h <= 100000
// Sizes that somebody has bounded, and too far out.
__global__ void copy(float *out, const float *in, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x];
}
