// spmd: block=128 grid=(rows+3)/4 start[rows+1] y[rows] require rows > 0, rows <= 1000000, nnz >= 0, nnz <= 100000000
__global__ void spmv_warps(const int *start, const int *column, const float *value, const float *x, float *y, int rows, int nnz) {
  int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
  if (r >= rows) return;
  int end = start[r + 1];
  float s = 0.0f;
  for (long long k = (long long)start[r] + lane; k < end; k += 32) s += value[k] * x[column[k]];
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
  if (lane == 0) y[r] = s;
}
