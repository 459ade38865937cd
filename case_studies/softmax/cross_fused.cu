// spmd: block=64 grid=(rows+1)/2 rows=11 cols=140 labels[rows] require rows >= 1, rows <= 65535, cols >= 32, cols <= 32767
// One warp a row: the log of the sum of exponentials by the online softmax, fused with the loss.
__global__ void cross_entropy(const float *in, const int *labels, float *loss, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float m = -INFINITY, l = 0.0f;
  for (int j = lane; j < cols; j += 32) {
    float larger = fmaxf(m, x[j]);
    l = l * expf(m - larger) + expf(x[j] - larger);
    m = larger;
  }
  for (int d = 16; d > 0; d /= 2) {
    float m2 = __shfl_xor_sync(0xffffffffu, m, d), l2 = __shfl_xor_sync(0xffffffffu, l, d);
    float both = fmaxf(m, m2);
    l = l * expf(m - both) + l2 * expf(m2 - both);
    m = both;
  }
  if (lane == 0) loss[row] = m + logf(l) - x[labels[row]];
}
