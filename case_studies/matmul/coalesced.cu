// spmd: block=256 grid=(n+15)/16,(m+15)/16 m=70 n=75 k=67 require m >= 1, n >= 1, k >= 1, m <= 32767, n <= 32767, k <= 32767
// Coalesced: the threads of a warp stand in one row of the product.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.x / 16, col = blockIdx.x * 16 + threadIdx.x % 16;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int p = 0; p < k; p++) sum += a[row * k + p] * b[p * n + col];
    c[row * n + col] = sum;
  }
}
