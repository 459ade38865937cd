// spmd: block=32 grid=rows x[rows*cols] out[rows*cols] require rows > 0, rows <= 10000, cols >= 0, cols <= 10000
__global__ void exclusive_warp(const float *x, float *out, int rows, int cols) {
  int lane = threadIdx.x;
  float carry = 0.0f;
  for (int first = 0; first < cols; first += 32) {
    int j = first + lane;
    float mine = j < cols ? x[blockIdx.x * cols + j] : 0.0f;
    float s = mine;
    for (int d = 1; d < 32; d *= 2) {
      float other = __shfl_up_sync(0xffffffffu, s, d);
      if (lane >= d) s += other;
    }
    if (j < cols) out[blockIdx.x * cols + j] = carry + (s - mine);
    carry += __shfl_sync(0xffffffffu, s, 31);
  }
}
