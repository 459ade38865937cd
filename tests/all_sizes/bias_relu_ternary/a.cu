// spmd: block=128 grid=rows x[rows*cols] bias[cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void bias_relu(const float *x, const float *bias, float *out, int rows, int cols) {
  for (int j = threadIdx.x; j < cols; j += 128) out[blockIdx.x * cols + j] = fmaxf(x[blockIdx.x * cols + j] + bias[j], 0.0f);
}
