// expect: race-free=refuted
// One cell too many: the last is the next matrix's first.
__global__ void turned(float *out, const float *in, int b, int n, int m) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= b * n) return;
  int j = id % n, i = id / n;
  for (int k = 0; k <= m; k++) out[(i * m + k) * n + j] = in[id] + k;
}
