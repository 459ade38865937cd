// expect: race-free=refuted barriers=proved
// spmd: block=64
// The two helpers in one: the barrier between the sum's reads and the maximum's writes is gone.
__shared__ float s[64];
__device__ float quotient(float v, float w) {
  s[threadIdx.x] = v;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; i++) sum += s[i];
  s[threadIdx.x] = w;
  __syncthreads();
  float top = s[0];
  for (int i = 1; i < 64; i++) top = fmaxf(top, s[i]);
  __syncthreads();
  return sum / top;
}
__global__ void both(const float *in, float *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = quotient(in[i], 2 * in[i]);
}
