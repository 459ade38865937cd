// expect: race-free=refuted
// The same, indexed, but a row of the kernel is as long as a column.
__global__ void columns(int n, const float *image, int kernel_h, int kernel_w, int height, int width, float *columns) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int row = index / width, h = row % height, w = index % width, channel = row / height;
  if (index < n)
    for (int i = 0; i < kernel_h; ++i)
      for (int j = 0; j < kernel_w; ++j)
        columns[(((channel * kernel_h + i) * kernel_h + j) * height + h) * width + w] = image[index];
}
