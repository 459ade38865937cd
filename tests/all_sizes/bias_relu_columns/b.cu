// spmd: block=128 grid=(cols+127)/128 x[rows*cols] bias[cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void bias_relu_columns(const float *x, const float *bias, float *out, int rows, int cols) {
  int j = blockIdx.x * 128 + threadIdx.x;
  if (j >= cols) return;
  float b = bias[j];
  for (int i = j; i < rows * cols; i += cols) out[i] = fmaxf(x[i] + b, 0.0f);
}
