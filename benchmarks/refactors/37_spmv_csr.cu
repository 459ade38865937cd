// equality: real. CSR scalar (thread per row) against vector (8 threads per row). X: the shuffle sum runs over the whole warp (starts at 16, width 32), rows of one warp are mixed.
#include <cuda_runtime.h>

__global__ void spmv_csr_a(const int *row_ptr, const int *col_idx, const float *vals, const float *x, float *y,
                           int n_rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n_rows) {
    float dot = 0.0f;
    for (int k = row_ptr[row]; k < row_ptr[row + 1]; k++) dot += vals[k] * x[col_idx[k]];
    y[row] = dot;
  }
}

template <int TPR>
__global__ void spmv_csr_b(const int *row_ptr, const int *col_idx, const float *vals, const float *x, float *y,
                           int n_rows) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = gid / TPR;
  const int lane = gid % TPR;
  float dot = 0.0f;
  if (row < n_rows) {
    const int start = row_ptr[row];
    const int end = row_ptr[row + 1];
    for (int k = start + lane; k < end; k += TPR) dot += vals[k] * x[col_idx[k]];
  }
#pragma unroll
  for (int offset = TPR / 2; offset > 0; offset >>= 1) dot += __shfl_down_sync(0xffffffff, dot, offset, TPR);
  if (lane == 0 && row < n_rows) y[row] = dot;
}

template <int TPR>
__global__ void spmv_csr_x(const int *row_ptr, const int *col_idx, const float *vals, const float *x, float *y,
                           int n_rows) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = gid / TPR;
  const int lane = gid % TPR;
  float dot = 0.0f;
  if (row < n_rows) {
    const int start = row_ptr[row];
    const int end = row_ptr[row + 1];
    for (int k = start + lane; k < end; k += TPR) dot += vals[k] * x[col_idx[k]];
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) dot += __shfl_down_sync(0xffffffff, dot, offset);
  if (lane == 0 && row < n_rows) y[row] = dot;
}

void run_spmv_csr_a(const int *row_ptr, const int *col_idx, const float *vals, const float *x, float *y, int n_rows) {
  spmv_csr_a<<<(n_rows + 127) / 128, 128>>>(row_ptr, col_idx, vals, x, y, n_rows);
}

void run_spmv_csr_b(const int *row_ptr, const int *col_idx, const float *vals, const float *x, float *y, int n_rows) {
  const int threads = 128;
  const int rows_per_block = threads / 8;
  spmv_csr_b<8><<<(n_rows + rows_per_block - 1) / rows_per_block, threads>>>(row_ptr, col_idx, vals, x, y, n_rows);
}

void run_spmv_csr_x(const int *row_ptr, const int *col_idx, const float *vals, const float *x, float *y, int n_rows) {
  const int threads = 128;
  const int rows_per_block = threads / 8;
  spmv_csr_x<8><<<(n_rows + rows_per_block - 1) / rows_per_block, threads>>>(row_ptr, col_idx, vals, x, y, n_rows);
}
