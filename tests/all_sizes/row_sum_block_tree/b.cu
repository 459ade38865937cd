// spmd: block=256 grid=rows x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum_tree(const float *x, float *out, int rows, int cols) {
  __shared__ float part[256];
  int t = threadIdx.x;
  const float *row = x + blockIdx.x * cols;
  float s = 0.0f;
  for (int j = t; j < cols; j += 256) s += row[j];
  part[t] = s;
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
