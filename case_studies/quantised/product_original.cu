// spmd: block=64 grid=(rows+63)/64 rows=5 groups=3 require rows >= 1, rows <= 16384, groups >= 1, groups <= 512
// A row of bytes with group scales times a vector, one thread a row: each weight is scaled.
__global__ void product(const signed char *q, const float *scale, const float *x, float *out, int rows, int groups) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int cols = groups * 128;
  float sum = 0.0f;
  for (int c = 0; c < cols; c++) sum += scale[row * groups + c / 128] * (float)q[row * cols + c] * x[c];
  out[row] = sum;
}
