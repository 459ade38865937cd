// spmd: block=32 grid=rows label[rows] loss[rows] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void entropy_warp(const float *x, const int *label, float *loss, int rows, int cols) {
  int r = blockIdx.x, lane = threadIdx.x;
  const float *row = x + r * cols;
  float m = -INFINITY, s = 0.0f;
  for (int j = lane; j < cols; j += 32) m = fmaxf(m, row[j]);
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  for (int j = lane; j < cols; j += 32) s += expf(row[j] - m);
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
  if (lane == 0) loss[r] = logf(s) + m - row[label[r]];
}
