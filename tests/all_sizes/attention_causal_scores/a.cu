// spmd: block=16,16 grid=(n+15)/16,(n+15)/16 q[n*dim] k[n*dim] s[n*n] require n > 0, n <= 20000, dim >= 0, dim <= 20000
__global__ void scores(const float *q, const float *k, float *s, float scale, int n, int dim) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = 0.0f;
  for (int d = 0; d < dim; d++) sum += q[i * dim + d] * k[j * dim + d];
  s[i * n + j] = j <= i ? sum * scale : -INFINITY;
}
