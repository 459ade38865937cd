// spmd: block=8,8 grid=(n+7)/8,(n+7)/8,batch a[batch*n*n] b[batch*n*n] c[batch*n*n] require batch > 0, n > 0, batch <= 1000, n <= 1000
__global__ void batched(const float *a, const float *b, float *c, int batch, int n) {
  int j = blockIdx.x * 8 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y, first = blockIdx.z * n * n;
  if (i >= n || j >= n) return;
  float s = 0.0f;
  for (int k = 0; k < n; k++) s += a[first + i * n + k] * b[first + k * n + j];
  c[first + i * n + j] = s;
}
