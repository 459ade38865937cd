// expect: race-free=proved barriers=proved order-free=proved
// at: block=16,16 grid=8,8 m=128 n=128 k=128
// Matrix product, a thread an element.
__global__ void mm(const float *a, const float *b, float *c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
