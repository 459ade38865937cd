// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=16,16
// at: block=16,16 grid=8,8 m=120 n=125 k=130
// Matrix product through shared tiles, ragged edges filled with zeros.
__global__ void mm(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int k0 = 0; k0 < k; k0 += 16) {
    as[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0;
    bs[ty][tx] = k0 + ty < k && col < n ? b[(k0 + ty) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; i++) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}
