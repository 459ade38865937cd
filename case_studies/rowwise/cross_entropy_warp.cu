// spmd: block=256 grid=(rows+7)/8 rows=19 cols=300 target[rows] require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One warp a row: shuffles for the maximum and for the sum; lane 0 stores the loss.
__global__ void cross_entropy(const float *__restrict__ logits, const int *__restrict__ target, float *__restrict__ loss, int rows,
                              int cols) {
  int lane = threadIdx.x & 31, row = blockIdx.x * 8 + (threadIdx.x >> 5);
  if (row >= rows) return;
  const float *x = logits + row * cols;
  float largest = -INFINITY;
  for (int c = lane; c < cols; c += 32) largest = fmaxf(largest, x[c]);
  for (int offset = 16; offset > 0; offset >>= 1) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += expf(x[c] - largest);
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) loss[row] = logf(sum) + largest - x[target[row]];
}
