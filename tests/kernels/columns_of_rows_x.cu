// expect: race-free=refuted
// What a convolution reads, a row of it for each place of the kernel: the pointer goes on by a row after each.
__global__ void columns(int n, const float *image, int kernel_h, int kernel_w, int height, int width, float *columns) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += blockDim.x * gridDim.x) {
    int row = index / width, h = row % height, w = index % width, channel = row / height;
    float *to = columns + (channel * kernel_h * kernel_w * height + h) * width + w;
    for (int i = 0; i < kernel_h; ++i)
      for (int j = 0; j < kernel_w; ++j) {
        *to = image[index];
        to += width;
      }
  }
}
