// spmd: block=16,16 grid=n/16,m/16 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k > 0, m <= 20000, n <= 20000, k <= 20000, m % 16 == 0, n % 16 == 0, k % 16 == 0
__global__ void matmul_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int j = blockIdx.x * 16 + tx, i = blockIdx.y * 16 + ty;
  float s = 0.0f;
  for (int first = 0; first < k; first += 16) {
    as[ty][tx] = a[i * k + first + tx];
    bs[ty][tx] = b[(first + ty) * n + j];
    __syncthreads();
    for (int l = 0; l < 16; l++) s += as[ty][l] * bs[l][tx];
    __syncthreads();
  }
  c[i * n + j] = s;
}
