// expect: race-free=proved no-wrap=proved
// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 require w > 0, h > 0, w + 15 <= 2147483647, h + 15 <= 2147483647
// That the host's sums fit their type does not bound the sizes: an index overflows at sizes alone that nobody has bounded.
__global__ void copy(float *out, const float *in, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x];
}
