// equality: real. dbias[c] += sum over rows of dout[r, c]. X: the row loop steps by blockDim.x (32) where it should step by blockDim.y (8).
#include <cuda_runtime.h>

#define COLS 32
#define ROWS 8

__global__ void bias_grad_a(float *dbias, const float *dout, int N, int OC) {
  int o = blockIdx.x * blockDim.x + threadIdx.x;
  if (o >= OC) return;
  float sum = 0.0f;
  for (int i = 0; i < N; i++) sum += dout[i * OC + o];
  dbias[o] += sum;
}

__global__ void bias_grad_b(float *dbias, const float *dout, int N, int OC) {
  __shared__ float sm[ROWS][COLS];
  const int col = blockIdx.x * COLS + threadIdx.x;
  float sum = 0.0f;
  if (col < OC) {
    for (int r = threadIdx.y; r < N; r += blockDim.y) sum += dout[r * OC + col];
  }
  sm[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && col < OC) {
    float total = 0.0f;
#pragma unroll
    for (int j = 0; j < ROWS; j++) total += sm[j][threadIdx.x];
    dbias[col] += total;
  }
}

__global__ void bias_grad_x(float *dbias, const float *dout, int N, int OC) {
  __shared__ float sm[ROWS][COLS];
  const int col = blockIdx.x * COLS + threadIdx.x;
  float sum = 0.0f;
  if (col < OC) {
    for (int r = threadIdx.y; r < N; r += blockDim.x) sum += dout[r * OC + col];
  }
  sm[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && col < OC) {
    float total = 0.0f;
#pragma unroll
    for (int j = 0; j < ROWS; j++) total += sm[j][threadIdx.x];
    dbias[col] += total;
  }
}

void run_bias_grad_a(float *dbias, const float *dout, int N, int OC) {
  bias_grad_a<<<(OC + 127) / 128, 128>>>(dbias, dout, N, OC);
}

void run_bias_grad_b(float *dbias, const float *dout, int N, int OC) {
  dim3 block(COLS, ROWS);
  bias_grad_b<<<(OC + COLS - 1) / COLS, block>>>(dbias, dout, N, OC);
}

void run_bias_grad_x(float *dbias, const float *dout, int N, int OC) {
  dim3 block(COLS, ROWS);
  bias_grad_x<<<(OC + COLS - 1) / COLS, block>>>(dbias, dout, N, OC);
}
