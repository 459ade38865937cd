// spmd: block=128 grid=(rows+3)/4 label[rows] loss[rows] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void cross_entropy_warp(const float *x, const int *label, float *loss, int rows, int cols) {
  int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float m = -INFINITY;
  for (int j = lane; j < cols; j += 32) m = fmaxf(m, row[j]);
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  float sum = 0.0f;
  for (int j = lane; j < cols; j += 32) sum += expf(row[j] - m);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) loss[r] = logf(sum) + m - row[label[r]];
}
