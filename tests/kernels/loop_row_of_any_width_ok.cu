// expect: race-free=proved barriers=proved order-free=proved no-wrap=proved
// A block a row, in strides: where the width is below zero nobody comes to the product of row and width.
__global__ void scale(const float *in, float *out, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x) out[blockIdx.x * width + i] = 2.0f * in[blockIdx.x * width + i];
}
