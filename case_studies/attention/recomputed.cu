// spmd: block=8 grid=(n+7)/8 n=20 scale=0.35355339 require n >= 1, n <= 100000
// No array of scores: each is computed again when it is needed, and all sums over the values run together.
__device__ float score(const float *a, const float *b, float scale) {
  float dot = 0.0f;
  for (int d = 0; d < 8; d++) dot += a[d] * b[d];
  return dot * scale;
}
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float acc[8] = {0}, m = -INFINITY, l = 0.0f;
  for (int j = 0; j < n; j++) m = fmaxf(m, score(q + i * 8, k + j * 8, scale));
  for (int j = 0; j < n; j++) {
    float p = expf(score(q + i * 8, k + j * 8, scale) - m);
    l += p;
    for (int d = 0; d < 8; d++) acc[d] += p * v[j * 8 + d];
  }
  for (int d = 0; d < 8; d++) out[i * 8 + d] = acc[d] / l;
}
