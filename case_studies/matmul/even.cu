// spmd: block=16,16 grid=8,8 m=128 n=128 k=64
// The naive product at sizes that tiles divide.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int p = 0; p < k; p++) sum += a[row * k + p] * b[p * n + col];
  c[row * n + col] = sum;
}
