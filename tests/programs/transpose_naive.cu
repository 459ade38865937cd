// expect: race-free=proved barriers=proved order-free=proved
// at: block=16,16 grid=8,8 w=120 h=100
// Transpose without shared memory.
__global__ void tr(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
