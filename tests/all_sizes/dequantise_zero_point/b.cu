// spmd: block=32 grid=rows q[rows*cols] zero[rows] scale[rows] out[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void dequantise_offset(const unsigned char *q, const float *zero, const float *scale, float *out, int rows, int cols) {
  float s = scale[blockIdx.x], offset = zero[blockIdx.x] * s;
  for (int j = threadIdx.x; j < cols; j += 32) {
    int i = blockIdx.x * cols + j;
    out[i] = (float)q[i] * s - offset;
  }
}
