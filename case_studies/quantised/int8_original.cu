// spmd: block=256 grid=(rows*cols+255)/256 rows=9 cols=200 require rows >= 1, rows <= 32767, cols >= 1, cols <= 32767
// Bytes back to floats, a scale and a zero point a row; one thread an element.
__global__ void dequantise(const signed char *q, const float *scale, const signed char *zero, float *out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  int row = i / cols;
  out[i] = scale[row] * (float)(q[i] - zero[row]);
}
