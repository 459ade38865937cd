// spmd: block=64 grid=(queries+63)/64 q[8*queries] k[8*keys] v[8*keys] out[8*queries] require queries > 0, queries <= 100000, keys > 0, keys <= 100000
__global__ void attention_online(const float *q, const float *k, const float *v, float *out, int queries, int keys) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= queries) return;
  float mine[8], acc[8];
  for (int d = 0; d < 8; d++) {
    mine[d] = q[8 * r + d];
    acc[d] = 0.0f;
  }
  float m = -INFINITY, l = 0.0f;
  for (int j = 0; j < keys; j++) {
    float score = 0.0f;
    for (int d = 0; d < 8; d++) score += mine[d] * k[8 * j + d];
    float larger = fmaxf(m, score);
    float old = expf(m - larger), e = expf(score - larger);
    l = l * old + e;
    for (int d = 0; d < 8; d++) acc[d] = acc[d] * old + e * v[8 * j + d];
    m = larger;
  }
  for (int d = 0; d < 8; d++) out[8 * r + d] = acc[d] / l;
}
