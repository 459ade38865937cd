__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}
// spmd: block=256 grid=rows x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum_shuffled(const float *x, float *out, int rows, int cols) {
  __shared__ float sums[8];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  float s = 0.0f;
  for (int j = t; j < cols; j += 256) s += x[blockIdx.x * cols + j];
  s = warp_sum(s);
  if (lane == 0) sums[warp] = s;
  __syncthreads();
  if (warp == 0) {
    s = lane < 8 ? sums[lane] : 0.0f;
    s = warp_sum(s);
    if (lane == 0) out[blockIdx.x] = s;
  }
}
