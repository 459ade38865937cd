// spmd: block=128 grid=blocks x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000, blocks > 0, blocks <= 1000
__global__ void row_sum_strided(const float *x, float *out, int rows, int cols, int blocks) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
    float s = 0.0f;
    for (int j = 0; j < cols; j++) s += x[r * cols + j];
    out[r] = s;
  }
}
