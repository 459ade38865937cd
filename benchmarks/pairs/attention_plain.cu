// spmd: block=64 grid=8 n=512 scale=0.125
// Attention by its definition: one thread a query, D = 64.
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float p[512], m = -INFINITY, l = 0.0f;
  for (int j = 0; j < n; j++) {
    float dot = 0.0f;
    for (int d = 0; d < 64; d++) dot += q[i * 64 + d] * k[j * 64 + d];
    p[j] = dot * scale;
    m = fmaxf(m, p[j]);
  }
  for (int j = 0; j < n; j++) {
    p[j] = expf(p[j] - m);
    l += p[j];
  }
  for (int d = 0; d < 64; d++) {
    float sum = 0.0f;
    for (int j = 0; j < n; j++) sum += p[j] * v[j * 64 + d];
    out[i * 64 + d] = sum / l;
  }
}
