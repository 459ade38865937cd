// spmd: block=64,4 grid=(cols+255)/256,(rows+3)/4 rows=9 cols=200 require rows >= 1, rows <= 32767, cols >= 1, cols <= 32767
// Tiles of 4 rows by 256 columns, one fma an element: the zero point is multiplied by the scale once a thread.
__global__ void dequantise(const signed char *__restrict__ q, const float *__restrict__ scale, const signed char *__restrict__ zero,
                           float *__restrict__ out, int rows, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float s = scale[row], shift = -s * (float)zero[row];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int col = blockIdx.x * 256 + k * 64 + threadIdx.x;
    if (col < cols) out[row * cols + col] = fmaf((float)q[row * cols + col], s, shift);
  }
}
