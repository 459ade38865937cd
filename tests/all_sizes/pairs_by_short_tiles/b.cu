// spmd: block=64 grid=(n+63)/64 f[n] p[n] require n > 0, n <= 1000000
__global__ void tiled(const float2 *p, float *f, int n) {
  __shared__ float2 tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  float2 me = i < n ? p[i] : make_float2(0.0f, 0.0f);
  float sum = 0.0f;
  for (int base = 0; base < n; base += 64) {
    if (base + threadIdx.x < n) tile[threadIdx.x] = p[base + threadIdx.x];
    __syncthreads();
    int count = min(64, n - base);
    for (int j = 0; j < count; j++) {
      float d = tile[j].x - me.x;
      sum += tile[j].y * d / (d * d + 0.5f);
    }
    __syncthreads();
  }
  if (i < n) f[i] = sum;
}
