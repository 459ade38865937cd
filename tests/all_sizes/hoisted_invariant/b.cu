// spmd: block=128 grid=(rows+127)/128 x[rows*cols] gain[rows] out[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void normalise_hoisted(const float *x, const float *gain, float *out, float scale, int rows, int cols) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  float g = gain[r], factor = g / scale, offset = g * g;
  int at = r * cols, end = at + cols;
  for (; at < end; at++) out[at] = x[at] * factor + offset;
}
