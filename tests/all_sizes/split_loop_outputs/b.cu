// spmd: block=256 grid=(n+255)/256 x[n*k] up[n*k] down[n*k] require n > 0, n <= 20000, k >= 0, k <= 20000
__global__ void one_by_one(const float *x, float *up, float *down, int n, int k) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < k; j++) down[j * n + i] = x[(k - 1 - j) * n + i] - 1.0f;
  float s = 0.0f;
  for (int at = i; at < n * k; at += n) up[at] = s += x[at];
}
