// spmd: block=128 grid=rows rows=19 cols=300 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767, cols % 4 == 0
// One block a row, four columns at a time as float4: a maximum and a sum by warp shuffles and shared memory.
__device__ __forceinline__ float block_max(float v) {
  __shared__ float of_warp[4];
  for (int offset = 16; offset > 0; offset >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
  if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = v;
  __syncthreads();
  v = of_warp[threadIdx.x & 3];
  for (int offset = 2; offset > 0; offset >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
  return v;
}
__device__ __forceinline__ float block_sum(float v) {
  __shared__ float of_warp[4];
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffffu, v, offset);
  if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = v;
  __syncthreads();
  v = of_warp[threadIdx.x & 3];
  for (int offset = 2; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}
__global__ void softmax(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  const float4 *x = reinterpret_cast<const float4 *>(in + blockIdx.x * cols);
  float4 *y = reinterpret_cast<float4 *>(out + blockIdx.x * cols);
  int quads = cols / 4;
  float largest = -INFINITY;
  for (int q = threadIdx.x; q < quads; q += blockDim.x) {
    float4 v = x[q];
    largest = fmaxf(largest, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
  }
  largest = block_max(largest);
  float sum = 0.0f;
  for (int q = threadIdx.x; q < quads; q += blockDim.x) {
    float4 v = x[q];
    sum += expf(v.x - largest) + expf(v.y - largest) + expf(v.z - largest) + expf(v.w - largest);
  }
  float inverse = 1.0f / block_sum(sum);
  for (int q = threadIdx.x; q < quads; q += blockDim.x) {
    float4 v = x[q];
    y[q] = make_float4(expf(v.x - largest) * inverse, expf(v.y - largest) * inverse, expf(v.z - largest) * inverse,
                       expf(v.w - largest) * inverse);
  }
}
