// spmd: block=64 grid=rows x[rows*cols] count[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void count_above_block(const float *x, int *count, float limit, int rows, int cols) {
  __shared__ int s[64];
  int t = threadIdx.x, c = 0;
  for (int j = t; j < cols; j += 64) c += x[blockIdx.x * cols + j] > limit ? 1 : 0;
  s[t] = c;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) count[blockIdx.x] = s[0];
}
