// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=1024
// at: block=1024 grid=4,4 m=128 n=128 k=128
// Matrix product, threads of a warp along a row.
__global__ void mm(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.x * 32 + threadIdx.x / 32, col = blockIdx.y * 32 + threadIdx.x % 32;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
