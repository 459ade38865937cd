// spmd: block=32 grid=queries/16 q[2*queries] k[2*keys] v[2*keys] out[2*queries] require queries > 0, queries % 16 == 0, queries <= 100000, keys > 0, keys % 4 == 0, keys <= 100000
__global__ void attention(const float *q, const float *k, const float *v, float *out, int queries, int keys) {
  __shared__ float mine[16][2], ks[4][2], vs[4][2], s[16][4];
  int t = threadIdx.x, i = t / 2, c = t % 2;
  float acc = 0.0f, m = -INFINITY, l = 0.0f;
  mine[t / 2][t % 2] = q[blockIdx.x * 32 + t];
  for (int j0 = 0; j0 < keys; j0 += 4) {
    if (t < 8) {
      ks[t / 2][t % 2] = k[2 * j0 + t];
      vs[t / 2][t % 2] = v[2 * j0 + t];
    }
    __syncthreads();
    for (int j = c; j < 4; j += 2) s[i][j] = mine[i][0] * ks[j][0] + mine[i][1] * ks[j][1];
    __syncthreads();
    float larger = m;
    for (int j = 0; j < 4; j++) larger = fmaxf(larger, s[i][j]);
    float old = expf(m - larger);
    l *= old;
    acc *= old;
    for (int j = 0; j < 4; j++) {
      float e = expf(s[i][j] - larger);
      l += e;
      acc += e * vs[j][c];
    }
    m = larger;
    __syncthreads();
  }
  out[blockIdx.x * 32 + t] = acc / l;
}
