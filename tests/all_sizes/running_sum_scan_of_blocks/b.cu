// spmd: block=128 grid=rows x[rows*cols] out[rows*cols] require rows > 0, rows <= 10000, cols >= 0, cols <= 10000
__global__ void prefix_pieces(const int *x, int *out, int rows, int cols) {
  __shared__ int s[128];
  int t = threadIdx.x, carry = 0;
  for (int first = 0; first < cols; first += 128) {
    int j = first + t;
    s[t] = j < cols ? x[blockIdx.x * cols + j] : 0;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
      int before = t >= d ? s[t - d] : 0;
      __syncthreads();
      s[t] += before;
      __syncthreads();
    }
    if (j < cols) out[blockIdx.x * cols + j] = carry + s[t];
    carry += s[127];
    __syncthreads();
  }
}
