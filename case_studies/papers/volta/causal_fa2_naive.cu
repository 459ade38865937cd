// spmd: block=128 grid=1
// The later form, causal without a test: each weight is computed, then multiplied by a nought or a one. Eight threads a query, each
// eight columns in registers; the output is divided by the sum once, at the end.
__global__ void attention(const float *Q, const float *K, const float *V, float *O, float scale) {
  __shared__ float q[16][64], k[32][64], v[32][64], s[16][32];
  int t = threadIdx.x, i = t / 8, c = t % 8 * 8;
  float acc[8] = {0.0f}, m = -INFINITY, l = 0.0f;
  for (int at = t; at < 16 * 64; at += 128) q[at / 64][at % 64] = Q[at];
  for (int j0 = 0; j0 < 512; j0 += 32) {
    for (int at = t; at < 32 * 64; at += 128) {
      k[at / 64][at % 64] = K[j0 * 64 + at];
      v[at / 64][at % 64] = V[j0 * 64 + at];
    }
    __syncthreads();
    for (int j = t % 8; j < 32; j += 8) {
      float dot = 0.0f;
      for (int d = 0; d < 64; d++) dot += q[i][d] * k[j][d];
      s[i][j] = dot * scale;
    }
    __syncthreads();
    float larger = m;
    for (int j = 0; j < 32; j++) larger = fmaxf(larger, s[i][j]);
    float old = expf(m - larger);
    l *= old;
    for (int d = 0; d < 8; d++) acc[d] *= old;
    for (int j = 0; j < 32; j++) {
      float p = expf(s[i][j] - larger) * (j0 + j <= i + 496 ? 1.0f : 0.0f);
      l += p;
      for (int d = 0; d < 8; d++) acc[d] += p * v[j][c + d];
    }
    m = larger;
    __syncthreads();
  }
  for (int d = 0; d < 8; d++) O[i * 64 + c + d] = acc[d] / l;
}
