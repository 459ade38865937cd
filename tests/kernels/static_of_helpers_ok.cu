// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64
// Two helpers with static shared arrays of one name: two arrays.
__device__ float one(float v) {
  __shared__ float s[64];
  s[threadIdx.x] = v;
  __syncthreads();
  return s[63 - threadIdx.x];
}
__device__ float two(float v) {
  __shared__ float s[64];
  s[threadIdx.x] = v;
  __syncthreads();
  return s[(threadIdx.x + 1) % 64];
}
__global__ void both(float *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = two(one(i));
}
