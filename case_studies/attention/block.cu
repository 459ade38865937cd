// spmd: block=32 grid=n n=20 scale=0.35355339 require n >= 1, n <= 32
// One block a query: a thread a score, trees in shared memory, then a thread a column of the values.
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n, float scale) {
  __shared__ float p[32], red[32];
  int t = threadIdx.x, i = blockIdx.x;
  float s = -INFINITY;
  if (t < n) {
    s = 0.0f;
    for (int d = 0; d < 8; d++) s += q[i * 8 + d] * k[t * 8 + d];
    s *= scale;
  }
  red[t] = s;
  __syncthreads();
  for (int w = 16; w > 0; w /= 2) {
    if (t < w) red[t] = fmaxf(red[t], red[t + w]);
    __syncthreads();
  }
  float m = red[0];
  __syncthreads();  // before red is filled again
  p[t] = red[t] = t < n ? expf(s - m) : 0.0f;
  __syncthreads();  // before the tree of the sum
  for (int w = 16; w > 0; w >>= 1) {
    if (t < w) red[t] += red[t + w];
    __syncthreads();
  }
  if (t < 8) {
    float sum = 0.0f;
    for (int j = 0; j < n; j++) sum += p[j] * v[j * 8 + t];
    out[i * 8 + t] = sum / red[0];
  }
}
