// spmd: block=32,8 grid=(cols+31)/32,(rows+7)/8 x[rows*cols] bias[cols] tmp[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void add_bias(const float *x, const float *bias, float *tmp, int rows, int cols) {
  int j = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (r < rows && j < cols) tmp[r * cols + j] = x[r * cols + j] + bias[j];
}

// spmd: block=256 grid=(rows*cols+255)/256 tmp[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void relu(float *tmp, int rows, int cols) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < rows * cols) tmp[i] = fmaxf(tmp[i], 0.0f);
}

// spmd: block=128 grid=(rows+127)/128 tmp[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void sum_rows(const float *tmp, float *out, int rows, int cols) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) s += tmp[r * cols + j];
  out[r] = s;
}
