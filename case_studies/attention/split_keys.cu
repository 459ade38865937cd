// spmd: block=32 grid=(n+3)/4 n=20 scale=0.35355339 require n >= 1, n <= 100000, n % 4 == 0
// Flash decoding: eight lanes a query, each runs online over its keys, then shuffles merge (m, l, output).
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n, float scale) {
  int i = blockIdx.x * 4 + threadIdx.x / 8, lane = threadIdx.x % 8;
  float acc[8] = {0}, m = -INFINITY, l = 0.0f;
  for (int j = lane; j < n; j += 8) {
    float s = 0.0f;
    for (int d = 0; d < 8; d++) s += q[i * 8 + d] * k[j * 8 + d];
    s *= scale;
    float larger = fmaxf(m, s), old = expf(m - larger), p = expf(s - larger);
    l = l * old + p;
    for (int d = 0; d < 8; d++) acc[d] = acc[d] * old + p * v[j * 8 + d];
    m = larger;
  }
  for (int w = 4; w > 0; w /= 2) {
    float m2 = __shfl_xor_sync(0xffffffffu, m, w), l2 = __shfl_xor_sync(0xffffffffu, l, w);
    float both = fmaxf(m, m2), mine = expf(m - both), theirs = expf(m2 - both);
    l = l * mine + l2 * theirs;
    for (int d = 0; d < 8; d++) acc[d] = acc[d] * mine + __shfl_xor_sync(0xffffffffu, acc[d], w) * theirs;
    m = both;
  }
  if (lane == 0)
    for (int d = 0; d < 8; d++) out[i * 8 + d] = acc[d] / l;
}
