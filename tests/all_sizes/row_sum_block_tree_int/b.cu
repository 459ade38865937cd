// spmd: block=64 grid=rows x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum_tree(const int *x, int *out, int rows, int cols) {
  __shared__ int part[64];
  int t = threadIdx.x;
  int s = 0;
  for (int j = t; j < cols; j += blockDim.x) s += x[blockIdx.x * cols + j];
  part[t] = s;
  for (int d = 32; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) part[t] += part[t + d];
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
