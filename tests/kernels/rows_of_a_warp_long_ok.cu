// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=32,4 grid=8 require rows >= 1 && count >= 1 && count <= 1024
// As many rows as are left of two, many elements a lane: written out it is long, and loops are kept for races alone.
template <int N> __device__ void sums(float *sum) {
  for (int m = 16; m > 0; m /= 2)
    for (int i = 0; i < N; i++) {
      float other = __shfl_xor_sync(0xffffffff, sum[i], m);
      sum[i] = sum[i] < other ? other : sum[i] + 1.f;
    }
}
__global__ void k(float *out, const float *in, int rows, int count) {
  int first = (blockDim.y * blockIdx.x + threadIdx.y) * 2;
  int mine = rows - first;
  if (mine > 2) mine = 2;
  float held[2][32], sum[2];
  for (int i = 0; i < mine; i++)
    for (int j = 0; j < 32; j++) held[i][j] = j * 32 + threadIdx.x < count ? in[(first + i) * count + j * 32 + threadIdx.x] : 0.f;
  for (int i = 0; i < 2; i++) {
    sum[i] = held[i][0];
    for (int j = 1; j < 32; j++) sum[i] = held[i][j] < sum[i] ? sum[i] : held[i][j];
  }
  sums<2>(sum);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 32; j++) held[i][j] = held[i][j] - sum[i];
  for (int i = 0; i < 2; i++) {
    sum[i] = held[i][0];
    for (int j = 1; j < 32; j++) sum[i] += held[i][j];
  }
  sums<2>(sum);
  for (int i = 0; i < 2; i++) {
    if (i >= mine) break;
    for (int j = 0; j < 32; j++)
      if (j * 32 + threadIdx.x < count) out[(first + i) * count + j * 32 + threadIdx.x] = held[i][j] / sum[i];
  }
}
