// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64
// Two helpers, each with the barrier that keeps its reads from the next one's writes.
__shared__ float s[64];
__device__ float total(float v) {
  s[threadIdx.x] = v;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; i++) sum += s[i];
  __syncthreads();
  return sum;
}
__device__ float most(float v) {
  s[threadIdx.x] = v;
  __syncthreads();
  float top = s[0];
  for (int i = 1; i < 64; i++) top = fmaxf(top, s[i]);
  __syncthreads();
  return top;
}
__global__ void both(const float *in, float *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = total(in[i]) / most(in[i]);
}
