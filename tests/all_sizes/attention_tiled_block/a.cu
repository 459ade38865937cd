// spmd: block=16 grid=(queries+15)/16 q[2*queries] k[2*keys] v[2*keys] out[2*queries] require queries > 0, queries % 16 == 0, queries <= 100000, keys > 0, keys % 4 == 0, keys <= 100000
__global__ void attention(const float *q, const float *k, const float *v, float *out, int queries, int keys) {
  int i = blockIdx.x * 16 + threadIdx.x;
  float m = -INFINITY, l = 0.0f, acc[2] = {0.0f};
  for (int j = 0; j < keys; j++) m = fmaxf(m, q[2 * i] * k[2 * j] + q[2 * i + 1] * k[2 * j + 1]);
  for (int j = 0; j < keys; j++) {
    float e = expf(q[2 * i] * k[2 * j] + q[2 * i + 1] * k[2 * j + 1] - m);
    l += e;
    for (int d = 0; d < 2; d++) acc[d] += e * v[2 * j + d];
  }
  for (int d = 0; d < 2; d++) out[2 * i + d] = acc[d] / l;
}
