// spmd: block=64 grid=queries q[8*queries] k[8*keys] v[8*keys] out[8*queries] require queries > 0, queries <= 100000, keys > 0, keys <= 100000
__global__ void attention_block(const float *q, const float *k, const float *v, float *out, int queries, int keys) {
  __shared__ float ms[64], ls[64], accs[64][8];
  int t = threadIdx.x, r = blockIdx.x;
  float m = -1e30f, l = 0.0f, acc[8];
  for (int d = 0; d < 8; d++) acc[d] = 0.0f;
  for (int j = t; j < keys; j += 64) {
    float score = 0.0f;
    for (int d = 0; d < 8; d++) score += q[8 * r + d] * k[8 * j + d];
    float larger = fmaxf(m, score);
    float old = expf(m - larger), e = expf(score - larger);
    l = l * old + e;
    for (int d = 0; d < 8; d++) acc[d] = acc[d] * old + e * v[8 * j + d];
    m = larger;
  }
  ms[t] = m;
  ls[t] = l;
  for (int d = 0; d < 8; d++) accs[t][d] = acc[d];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) {
      float both = fmaxf(ms[t], ms[t + half]);
      float u = expf(ms[t] - both), w = expf(ms[t + half] - both);
      ls[t] = ls[t] * u + ls[t + half] * w;
      for (int d = 0; d < 8; d++) accs[t][d] = accs[t][d] * u + accs[t + half][d] * w;
      ms[t] = both;
    }
    __syncthreads();
  }
  if (t < 8) out[8 * r + t] = accs[0][t] / ls[0];
}
