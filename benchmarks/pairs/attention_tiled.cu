// spmd: block=64 grid=8 n=512 scale=0.125
// Attention over tiles of 32 keys in shared memory, the softmax online; one thread a query, D = 64.
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n, float scale) {
  __shared__ float ks[32][64], vs[32][64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float acc[64] = {0.0f}, s[32], m = -INFINITY, l = 0.0f;
  for (int j0 = 0; j0 < n; j0 += 32) {
    for (int at = t; at < 32 * 64; at += 64) {
      ks[at / 64][at % 64] = k[j0 * 64 + at];
      vs[at / 64][at % 64] = v[j0 * 64 + at];
    }
    __syncthreads();
    float larger = m;
    for (int j = 0; j < 32; j++) {
      float dot = 0.0f;
      for (int d = 0; d < 64; d++) dot += q[i * 64 + d] * ks[j][d];
      s[j] = dot * scale;
      larger = fmaxf(larger, s[j]);
    }
    float shrink = expf(m - larger);
    l *= shrink;
    for (int d = 0; d < 64; d++) acc[d] *= shrink;
    for (int j = 0; j < 32; j++) {
      float p = expf(s[j] - larger);
      l += p;
      for (int d = 0; d < 64; d++) acc[d] += p * vs[j][d];
    }
    m = larger;
    __syncthreads();
  }
  for (int d = 0; d < 64; d++) out[i * 64 + d] = acc[d] / l;
}
