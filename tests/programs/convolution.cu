// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=16,16
// at: block=16,16 grid=4,4 h=60 wd=50
// A convolution of 5 × 5 over a tile with a halo.
#define T 16
#define R 2
__constant__ float w[(2 * R + 1) * (2 * R + 1)];
__global__ void conv(const float *in, float *out, int h, int wd) {
  __shared__ float s[T + 2 * R][T + 2 * R];
  int x0 = blockIdx.x * T, y0 = blockIdx.y * T;
  for (int y = threadIdx.y; y < T + 2 * R; y += T)
    for (int x = threadIdx.x; x < T + 2 * R; x += T) {
      int gx = x0 + x - R, gy = y0 + y - R;
      s[y][x] = gx >= 0 && gx < wd && gy >= 0 && gy < h ? in[gy * wd + gx] : 0;
    }
  __syncthreads();
  int gx = x0 + threadIdx.x, gy = y0 + threadIdx.y;
  if (gx < wd && gy < h) {
    float v = 0;
    for (int i = 0; i <= 2 * R; i++)
      for (int j = 0; j <= 2 * R; j++) v += w[i * (2 * R + 1) + j] * s[threadIdx.y + i][threadIdx.x + j];
    out[gy * wd + gx] = v;
  }
}
