// spmd: block=64 grid=(queries+63)/64 Q[8*queries] K[8*keys] V[8*keys] O[8*queries] require queries > 0, queries <= 100000, keys > 0, keys <= 100000
// Attention for any number of queries and keys of 8 numbers: the maximum first, then the sums; one thread a query.
__global__ void attention(const float *Q, const float *K, const float *V, float *O, int queries, int keys, float scale) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= queries) return;
  float m = -INFINITY, l = 0.0f, acc[8];
  for (int d = 0; d < 8; d++) acc[d] = 0.0f;
  for (int j = 0; j < keys; j++) {
    float dot = 0.0f;
    for (int d = 0; d < 8; d++) dot += Q[8 * i + d] * K[8 * j + d];
    m = fmaxf(m, dot * scale);
  }
  for (int j = 0; j < keys; j++) {
    float dot = 0.0f;
    for (int d = 0; d < 8; d++) dot += Q[8 * i + d] * K[8 * j + d];
    float p = expf(dot * scale - m);
    l += p;
    for (int d = 0; d < 8; d++) acc[d] += p * V[8 * j + d];
  }
  for (int d = 0; d < 8; d++) O[8 * i + d] = acc[d] / l;
}
