// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=128 require n == gridDim.x * 32
// A tile of the product in registers: each thread keeps eight sums, and the tiles in shared memory are full before they are read.
__global__ void multiply(const float *a, const float *b, float *c, int n, int k) {
  __shared__ float left[32 * 4], right[4 * 32];
  int column = threadIdx.x % 32, row = threadIdx.x / 32;
  float sum[8] = {0};
  for (int from = 0; from < k; from += 4) {
    left[threadIdx.x] = a[(blockIdx.y * 32 + threadIdx.x / 4) * k + from + threadIdx.x % 4];
    right[threadIdx.x] = b[(from + row) * n + blockIdx.x * 32 + column];
    __syncthreads();
    for (int d = 0; d < 4; d++) {
      for (int i = 0; i < 8; i++) sum[i] += left[(row * 8 + i) * 4 + d] * right[d * 32 + column];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++) c[(blockIdx.y * 32 + row * 8 + i) * n + blockIdx.x * 32 + column] = sum[i];
}
