// spmd: block=256 grid=(2*rows*half+255)/256 x[2*rows*half] angle[half] out[2*rows*half] require rows > 0, rows <= 10000, half > 0, half <= 10000
__global__ void rotate(const float *x, const float *angle, float *out, int rows, int half) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= 2 * rows * half) return;
  int r = i / (2 * half), j = i % (2 * half);
  if (j < half) {
    float w = r * angle[j];
    out[i] = x[i] * cosf(w) - x[i + half] * sinf(w);
  } else {
    float w = r * angle[j - half];
    out[i] = x[i] * cosf(w) + x[i - half] * sinf(w);
  }
}
