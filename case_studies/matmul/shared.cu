// spmd: block=16,16 grid=(n+15)/16,(m+15)/16 m=70 n=75 k=67 require m >= 1, n >= 1, k >= 1, m <= 32767, n <= 32767, k <= 32767
// Shared: tiles of 16 × 16 through shared memory, the ragged edge filled with zeros.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int p0 = 0; p0 < k; p0 += 16) {
    as[ty][tx] = row < m && p0 + tx < k ? a[row * k + p0 + tx] : 0.0f;
    bs[ty][tx] = p0 + ty < k && col < n ? b[(p0 + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < 16; p++) sum += as[ty][p] * bs[p][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}
