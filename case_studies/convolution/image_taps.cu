// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 w=53 h=37 require w >= 1, h >= 1, w <= 32767, h <= 32767
// The taps are read once a block into shared memory, where all threads read the same one at a time.
__global__ void convolve(const float *in, const float *taps, float *out, int w, int h) {
  __shared__ float t[25];
  int own = threadIdx.y * 16 + threadIdx.x;
  if (own < 25) t[own] = taps[own];
  __syncthreads();  // the taps are loaded
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int r = 0; r < 5; r++)
    for (int c = 0; c < 5; c++)
      sum += t[r * 5 + c] * in[min(max(y + r - 2, 0), h - 1) * w + min(max(x + c - 2, 0), w - 1)];
  out[y * w + x] = sum;
}
