// spmd: block=256 grid=(rows*cols+255)/256 x[rows*cols] bias[cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void bias_relu(const float *x, const float *bias, float *out, int rows, int cols) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < rows * cols) out[i] = fmaxf(x[i] + bias[i % cols], 0.0f);
}
