// spmd: block=128 grid=(n+127)/128 x[n*k] out[n] require n > 0, n <= 20000, k >= 1, k <= 20000
__global__ void largest(const int *x, int *out, int n, int k) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const int *mine = x + i * k;
  int m = mine[0];
  for (int j = 1; j < k; j++) m = max(m, mine[j]);
  out[i] = m;
}
