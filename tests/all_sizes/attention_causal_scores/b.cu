// spmd: block=64 grid=n q[n*dim] k[n*dim] s[n*n] require n > 0, n <= 20000, dim >= 0, dim <= 20000
__global__ void scores_rows(const float *q, const float *k, float *s, float scale, int n, int dim) {
  int i = blockIdx.x;
  for (int j = threadIdx.x; j < n; j += 64) {
    if (j > i) {
      s[i * n + j] = -INFINITY;
      continue;
    }
    float sum = 0.0f;
    for (int d = 0; d < dim; d++) sum += q[i * dim + d] * k[j * dim + d];
    s[i * n + j] = sum * scale;
  }
}
