// spmd: block=8 grid=(n+7)/8 n=20 scale=0.35355339 require n >= 1, n <= 100000
// One pass over the keys with a running maximum: sum and output are scaled down when it grows; one thread a query.
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float acc[8] = {0}, m = -INFINITY, l = 0.0f;
  for (int j = 0; j < n; j++) {
    float s = 0.0f;
    for (int d = 0; d < 8; d++) s += q[i * 8 + d] * k[j * 8 + d];
    s *= scale;
    float larger = fmaxf(m, s), old = expf(m - larger), p = expf(s - larger);
    l = l * old + p;
    for (int d = 0; d < 8; d++) acc[d] = acc[d] * old + p * v[j * 8 + d];
    m = larger;
  }
  for (int d = 0; d < 8; d++) out[i * 8 + d] = acc[d] / l;
}
