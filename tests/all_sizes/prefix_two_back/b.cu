// spmd: block=64 grid=(rows+63)/64 seed[2*rows] out[rows*n] require rows > 0, rows <= 20000, n >= 2, n <= 20000
__global__ void recur_registers(const float *seed, float *out, float a, float b, int rows, int n) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float *y = out + r * n;
  float before = seed[2 * r], last = seed[2 * r + 1];
  y[0] = before;
  y[1] = last;
  for (int k = 2; k < n; k++) {
    float next = a * last + b * before;
    before = last;
    last = next;
    y[k] = next;
  }
}
