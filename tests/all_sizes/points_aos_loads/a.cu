// spmd: block=128 grid=(n+127)/128 p[3*n] q[3*k] out[n] require n > 0, n <= 100000, k >= 0, k <= 100000
__global__ void potential(const float *p, const float *q, float *out, int n, int k) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int c = 0; c < k; c++) {
    float dx = p[3 * i] - q[3 * c], dy = p[3 * i + 1] - q[3 * c + 1], dz = p[3 * i + 2] - q[3 * c + 2];
    sum += dx * dx + dy * dy + dz * dz;
  }
  out[i] = sum;
}
