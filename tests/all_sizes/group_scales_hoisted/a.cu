// spmd: block=128 grid=(rows+127)/128 x[rows*cols] scale[rows*((cols+group-1)/group)] out[rows*cols] require rows > 0, rows <= 10000, cols >= 0, cols <= 10000, group > 0, group <= 10000
__global__ void scale_groups(const float *x, const float *scale, float *out, int rows, int cols, int group) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  int groups = (cols + group - 1) / group;
  for (int j = 0; j < cols; j++) out[r * cols + j] = x[r * cols + j] * scale[r * groups + j / group];
}
