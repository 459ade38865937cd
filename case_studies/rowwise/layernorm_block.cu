// spmd: block=256 grid=rows rows=19 cols=300 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One block a row: both sums by warp shuffles and a second stage through shared memory; rsqrtf.
__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}
__device__ float block_sum(float v, float *shared) {
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  v = warp_sum(v);
  if (lane == 0) shared[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? shared[lane] : 0.0f;
  if (warp == 0) {
    v = warp_sum(v);
    if (lane == 0) shared[0] = v;
  }
  __syncthreads();
  v = shared[0];
  __syncthreads();
  return v;
}
__global__ void layernorm(const float *__restrict__ in, const float *__restrict__ weight, const float *__restrict__ bias,
                          float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd, int rows, int cols, float eps) {
  __shared__ float shared[32];
  const float *x = in + blockIdx.x * cols;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += x[c];
  float m = block_sum(sum, shared) / cols;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float d = x[c] - m;
    squares += d * d;
  }
  float s = rsqrtf(block_sum(squares, shared) / cols + eps);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) out[blockIdx.x * cols + c] = s * (x[c] - m) * weight[c] + bias[c];
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = m;
    rstd[blockIdx.x] = s;
  }
}
