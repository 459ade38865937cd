// spmd: block=8 grid=(n+7)/8 n=20 scale=0.35355339 require n >= 1, n <= 20
// Causal attention by its definition: query i sees the keys 0 to i; one thread a query.
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float p[20] = {0}, m = -INFINITY, l = 0.0f;
  for (int j = 0; j <= i; j++) {
    float dot = 0.0f;
    for (int d = 0; d < 8; d++) dot += q[i * 8 + d] * k[j * 8 + d];
    p[j] = dot * scale;
    m = fmaxf(m, p[j]);
  }
  for (int j = 0; j <= i; j++) {
    p[j] = expf(p[j] - m);
    l += p[j];
  }
  for (int d = 0; d < 8; d++) {
    float sum = 0.0f;
    for (int j = 0; j <= i; j++) sum += p[j] * v[j * 8 + d];
    out[i * 8 + d] = sum / l;
  }
}
