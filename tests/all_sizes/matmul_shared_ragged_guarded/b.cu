// spmd: block=16,16 grid=(n+15)/16,(m+15)/16 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k >= 0, m <= 20000, n <= 20000, k <= 20000
__global__ void matmul_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][17], bs[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int j = blockIdx.x * 16 + tx, i = blockIdx.y * 16 + ty;
  float s = 0.0f;
  for (int first = 0; first < k; first += 16) {
    if (i < m && first + tx < k) as[ty][tx] = a[i * k + first + tx];
    if (j < n && first + ty < k) bs[ty][tx] = b[(first + ty) * n + j];
    __syncthreads();
    int count = min(16, k - first);
    if (i < m && j < n)
      for (int l = 0; l < count; l++) s += as[ty][l] * bs[l][tx];
    __syncthreads();
  }
  if (i < m && j < n) c[i * n + j] = s;
}
