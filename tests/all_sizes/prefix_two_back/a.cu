// spmd: block=64 grid=(rows+63)/64 seed[2*rows] out[rows*n] require rows > 0, rows <= 20000, n >= 2, n <= 20000
__global__ void recur(const float *seed, float *out, float a, float b, int rows, int n) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float *y = out + r * n;
  y[0] = seed[2 * r];
  y[1] = seed[2 * r + 1];
  for (int k = 2; k < n; k++) y[k] = a * y[k - 1] + b * y[k - 2];
}
