// spmd: block=64 grid=(queries+63)/64 Q[64*queries] K[64*keys] V[64*keys] O[64*queries] require queries > 0, queries <= 100000, keys > 0, keys <= 100000
// A slip: the output is not rescaled when the maximum grows.
__global__ void attention(const float *Q, const float *K, const float *V, float *O, int queries, int keys, float scale) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= queries) return;
  float m = -INFINITY, l = 0.0f, acc[64];
  for (int d = 0; d < 64; d++) acc[d] = 0.0f;
  for (int j = 0; j < keys; j++) {
    float dot = 0.0f;
    for (int d = 0; d < 64; d++) dot += Q[64 * i + d] * K[64 * j + d];
    float larger = fmaxf(m, dot * scale), old = expf(m - larger), p = expf(dot * scale - larger);
    l = l * old + p;
    for (int d = 0; d < 64; d++) acc[d] = acc[d] + p * V[64 * j + d];
    m = larger;
  }
  for (int d = 0; d < 64; d++) O[64 * i + d] = acc[d] / l;
}
