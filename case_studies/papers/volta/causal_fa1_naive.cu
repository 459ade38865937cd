// spmd: block=128 grid=1
// FlashAttention, causal without a test: each weight is computed, then multiplied by a nought or a one. 128 threads, tiles of 32
// keys and values in shared memory. The output is kept normalised after each tile.
__global__ void attention(const float *Q, const float *K, const float *V, float *O, float scale) {
  __shared__ float q[16][64], k[32][64], v[32][64], s[16][32], o[16][64], largest[16], sum[16];
  int t = threadIdx.x;
  for (int at = t; at < 16 * 64; at += 128) {
    q[at / 64][at % 64] = Q[at];
    o[at / 64][at % 64] = 0.0f;
  }
  if (t < 16) {
    largest[t] = -INFINITY;
    sum[t] = 0.0f;
  }
  __syncthreads();
  for (int j0 = 0; j0 < 512; j0 += 32) {
    for (int at = t; at < 32 * 64; at += 128) {
      k[at / 64][at % 64] = K[j0 * 64 + at];
      v[at / 64][at % 64] = V[j0 * 64 + at];
    }
    __syncthreads();
    for (int at = t; at < 16 * 32; at += 128) {
      float dot = 0.0f;
      for (int d = 0; d < 64; d++) dot += q[at / 32][d] * k[at % 32][d];
      s[at / 32][at % 32] = dot * scale;
    }
    __syncthreads();
    if (t < 16) {
      float m = largest[t];
      for (int j = 0; j < 32; j++) m = fmaxf(m, s[t][j]);
      float l = 0.0f;
      for (int j = 0; j < 32; j++) {
        s[t][j] = expf(s[t][j] - m) * (j0 + j <= t + 496 ? 1.0f : 0.0f);
        l += s[t][j];
      }
      float old = expf(largest[t] - m) * sum[t], now = old + l;
      for (int d = 0; d < 64; d++) {
        float part = 0.0f;
        for (int j = 0; j < 32; j++) part += s[t][j] * v[j][d];
        o[t][d] = (old * o[t][d] + part) / now;
      }
      largest[t] = m;
      sum[t] = now;
    }
    __syncthreads();
  }
  for (int at = t; at < 16 * 64; at += 128) O[at] = o[at / 64][at % 64];
}
