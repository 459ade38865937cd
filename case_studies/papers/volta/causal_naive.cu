// spmd: block=1 grid=1
// Causal attention without a test: each weight is computed, then multiplied by the triangular matrix of noughts and ones.
__global__ void attention(const float *Q, const float *K, const float *V, float *O, float scale) {
  float p[512];
  for (int i = 0; i < 16; i++) {
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < 512; j++) {
      float dot = 0.0f;
      for (int d = 0; d < 64; d++) dot += Q[i * 64 + d] * K[j * 64 + d];
      p[j] = dot * scale;
      m = fmaxf(m, p[j]);
    }
    for (int j = 0; j < 512; j++) {
      float seen = j <= i + 496 ? 1.0f : 0.0f;
      p[j] = expf(p[j] - m) * seen;
      l += p[j];
    }
    for (int d = 0; d < 64; d++) {
      float sum = 0.0f;
      for (int j = 0; j < 512; j++) sum += p[j] * V[j * 64 + d];
      O[i * 64 + d] = sum / l;
    }
  }
}
