// spmd: block=16,4 grid=(n+15)/16,(n+3)/4 a[batch*n*n] b[batch*n*n] c[batch*n*n] require batch > 0, n > 0, batch <= 1000, n <= 1000
__global__ void batched_loop(const float *a, const float *b, float *c, int batch, int n) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 4 + threadIdx.y;
  if (i >= n || j >= n) return;
  for (int z = 0; z < batch; z++) {
    float s = 0.0f;
    for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
    a += n * n;
    b += n * n;
    c += n * n;
  }
}
