// spmd: block=64 grid=(queries+63)/64 q[8*queries] k[8*keys] v[8*keys] out[8*queries] require queries > 0, queries <= 100000, keys > 0, keys <= 100000
__global__ void attention(const float *q, const float *k, const float *v, float *out, int queries, int keys) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= queries) return;
  float m = -INFINITY;
  for (int j = 0; j < keys; j++) {
    float score = 0.0f;
    for (int d = 0; d < 8; d++) score += q[8 * r + d] * k[8 * j + d];
    m = fmaxf(m, score);
  }
  float l = 0.0f, acc[8] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  for (int j = 0; j < keys; j++) {
    float score = 0.0f;
    for (int d = 0; d < 8; d++) score += q[8 * r + d] * k[8 * j + d];
    float e = expf(score - m);
    l += e;
    for (int d = 0; d < 8; d++) acc[d] += e * v[8 * j + d];
  }
  for (int d = 0; d < 8; d++) out[8 * r + d] = acc[d] / l;
}
