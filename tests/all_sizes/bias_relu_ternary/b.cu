// spmd: block=128 grid=(rows*cols+127)/128 x[rows*cols] bias[cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void bias_relu_chosen(const float *x, const float *bias, float *out, int rows, int cols) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= rows * cols) return;
  float v = x[i] + bias[i % cols];
  out[i] = v > 0.0f ? v : 0.0f;
}
