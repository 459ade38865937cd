// spmd: block=64 grid=(rows+63)/64 x[rows*(n+window-1)] out[rows*n] require rows > 0, rows <= 10000, n > 0, n <= 10000, window > 0, window <= 10000
__global__ void averages_sliding(const float *x, float *out, int rows, int n, int window) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * (n + window - 1);
  float s = 0.0f, inverse = 1.0f / window;
  for (int k = 0; k < window; k++) s += row[k];
  out[r * n] = s * inverse;
  for (int j = 1; j < n; j++) {
    s += row[j + window - 1] - row[j - 1];
    out[r * n + j] = s * inverse;
  }
}
