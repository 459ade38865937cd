// spmd: block=128 grid=(queries+15)/16 Q[8*queries] K[8*keys] V[8*keys] O[8*queries] require queries > 0, queries % 16 == 0, queries <= 100000, keys > 0, keys % 16 == 0, keys <= 100000
// The tiled form for any number of queries in sixteens and keys in tiles of 16, each of 8 numbers.
__global__ void attention(const float *Q, const float *K, const float *V, float *O, int queries, int keys, float scale) {
  __shared__ float q[16][8], k[16][8], v[16][8], s[16][16];
  int t = threadIdx.x, i = t / 8, c = t % 8;
  float acc = 0.0f, m = -INFINITY, l = 0.0f;
  q[t / 8][t % 8] = Q[blockIdx.x * 128 + t];
  for (int j0 = 0; j0 < keys; j0 += 16) {
    k[t / 8][t % 8] = K[j0 * 8 + t];
    v[t / 8][t % 8] = V[j0 * 8 + t];
    __syncthreads();
    for (int j = t % 8; j < 16; j += 8) {
      float dot = 0.0f;
      for (int d = 0; d < 8; d++) dot += q[i][d] * k[j][d];
      s[i][j] = dot * scale;
    }
    __syncthreads();
    float larger = m;
    for (int j = 0; j < 16; j++) larger = fmaxf(larger, s[i][j]);
    float old = expf(m - larger);
    l *= old;
    acc *= old;
    for (int j = 0; j < 16; j++) {
      float p = expf(s[i][j] - larger);
      l += p;
      acc += p * v[j][c];
    }
    m = larger;
    __syncthreads();
  }
  O[blockIdx.x * 128 + t] = acc / l;
}
