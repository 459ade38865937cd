// spmd: block=8,8 grid=(n+7)/8,(m+7)/8 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k >= 0, m <= 20000, n <= 20000, k <= 20000
__global__ void matmul_tiles(const int *a, const int *b, int *c, int m, int n, int k) {
  __shared__ int as[8][8], bs[8][8];
  int tx = threadIdx.x, ty = threadIdx.y;
  int j = blockIdx.x * 8 + tx, i = blockIdx.y * 8 + ty;
  int s = i < m && j < n ? c[i * n + j] : 0;
  for (int first = 0; first < k; first += 8) {
    as[ty][tx] = i < m && first + tx < k ? a[i * k + first + tx] : 0;
    bs[ty][tx] = j < n && first + ty < k ? b[(first + ty) * n + j] : 0;
    __syncthreads();
    for (int l = 0; l < 8; l++) s += as[ty][l] * bs[l][tx];
    __syncthreads();
  }
  if (i < m && j < n) c[i * n + j] = s;
}
