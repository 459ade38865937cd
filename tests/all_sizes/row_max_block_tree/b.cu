// spmd: block=128 grid=rows x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_max_tree(const float *x, float *out, int rows, int cols) {
  __shared__ float s[128];
  int t = threadIdx.x;
  float m = -INFINITY;
  for (int j = t; j < cols; j += 128) m = fmaxf(m, x[blockIdx.x * cols + j]);
  s[t] = m;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
