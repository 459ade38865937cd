// spmd: block=128 grid=(rows*n+127)/128 x[rows*(n+window-1)] out[rows*n] require rows > 0, rows <= 10000, n > 0, n <= 10000, window > 0, window <= 10000
__global__ void averages(const float *x, float *out, int rows, int n, int window) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= rows * n) return;
  int r = i / n, j = i % n;
  float s = 0.0f;
  for (int k = 0; k < window; k++) s += x[r * (n + window - 1) + j + k];
  out[i] = s / window;
}
