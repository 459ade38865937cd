// spmd: block=8 grid=(n+7)/8 n=20 scale=0.35355339 require n >= 1, n <= 100000
// FlashAttention: tiles of 8 keys and values in shared memory, one thread a query, one rescale a tile.
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n, float scale) {
  __shared__ float ks[8][8], vs[8][8];
  int t = threadIdx.x, i = blockIdx.x * 8 + t;
  float qi[8], acc[8] = {0}, s[8], m = -INFINITY, l = 0.0f;
  for (int d = 0; d < 8; d++) qi[d] = i < n ? q[i * 8 + d] * scale : 0.0f;
  for (int k0 = 0; k0 < n; k0 += 8) {
    for (int d = 0; d < 8; d++) {
      ks[t][d] = k0 + t < n ? k[(k0 + t) * 8 + d] : 0.0f;
      vs[t][d] = k0 + t < n ? v[(k0 + t) * 8 + d] : 0.0f;
    }
    __syncthreads();  // the tile is loaded
    float larger = m;
    for (int j = 0; j < 8; j++) {
      s[j] = 0.0f;
      for (int d = 0; d < 8; d++) s[j] += qi[d] * ks[j][d];
      if (k0 + j >= n) s[j] = -INFINITY;
      larger = fmaxf(larger, s[j]);
    }
    float old = expf(m - larger);
    l *= old;
    for (int d = 0; d < 8; d++) acc[d] *= old;
    for (int j = 0; j < 8; j++) {
      float p = expf(s[j] - larger);
      l += p;
      for (int d = 0; d < 8; d++) acc[d] += p * vs[j][d];
    }
    m = larger;
    __syncthreads();  // the tile is used
  }
  if (i < n)
    for (int d = 0; d < 8; d++) out[i * 8 + d] = acc[d] / l;
}
