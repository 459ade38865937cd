// spmd: block=64 grid=(rows+63)/64 x[rows*(n+window-1)] out[rows*n] require rows > 0, rows <= 10000, n > 0, n <= 10000, window > 0, window <= 10000
__global__ void windows_sliding(const int *x, int *out, int rows, int n, int window) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const int *row = x + r * (n + window - 1);
  int s = 0;
  for (int k = 0; k < window - 1; k++) s += row[k];
  for (int j = 0; j < n; j++) {
    s += row[j + window - 1];
    out[r * n + j] = s;
    s -= row[j];
  }
}
