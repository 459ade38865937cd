// spmd: block=16,16 grid=n/16,m/16 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k > 0, m <= 20000, n <= 20000, k <= 20000, m % 16 == 0, n % 16 == 0, k % 16 == 0
__global__ void matmul_buffers(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[2][16][16], bs[2][16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int j = blockIdx.x * 16 + tx, i = blockIdx.y * 16 + ty;
  float s = 0.0f;
  as[0][ty][tx] = a[i * k + tx];
  bs[0][ty][tx] = b[ty * n + j];
  __syncthreads();
  int now = 0;
  for (int first = 16; first < k; first += 16) {
    as[now ^ 1][ty][tx] = a[i * k + first + tx];
    bs[now ^ 1][ty][tx] = b[(first + ty) * n + j];
    for (int l = 0; l < 16; l++) s += as[now][ty][l] * bs[now][l][tx];
    __syncthreads();
    now ^= 1;
  }
  for (int l = 0; l < 16; l++) s += as[now][ty][l] * bs[now][l][tx];
  c[i * n + j] = s;
}
