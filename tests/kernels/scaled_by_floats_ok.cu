// expect: race-free=proved no-wrap=proved
// Where a pixel comes from is a coordinate times a scale: that it may be large only for a scale of which nobody knows is assumed.
__global__ void scale(float *out, const float *in, int w, int h, int iw, int ih, float fx, float fy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sx = (int)(x * fx), sy = (int)(y * fy);
  out[y * w + x] = in[sy * iw + sx];
}
