// spmd: block=16,16 grid=(n+15)/16,(m+15)/16 x[m*n] bias[n] out[n*ld] require m > 0, n > 0, m <= 4000, n <= 4000, ld >= m, ld <= 5000
__global__ void bias_relu_transposed(const float *x, const float *bias, float *out, int m, int n, int ld) {
  __shared__ float tile[16][17];
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row < m && col < n) tile[threadIdx.y][threadIdx.x] = fmaxf(x[row * n + col] + bias[col], 0.0f);
  __syncthreads();
  int to_row = blockIdx.x * 16 + threadIdx.y, to_col = blockIdx.y * 16 + threadIdx.x;
  if (to_row < n && to_col < m) out[to_row * ld + to_col] = tile[threadIdx.x][threadIdx.y];
}
