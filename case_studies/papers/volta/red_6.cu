// spmd: block=128 grid=n/128 in[n] out[n/128] require n > 0, n % 128 == 0, n <= 1000000000
// The same, unrolled by a template.
template <int SIZE>
__device__ void last_warp(volatile float *s, int t) {
  if (SIZE >= 64) s[t] += s[t + 32];
  if (SIZE >= 32) s[t] += s[t + 16];
  if (SIZE >= 16) s[t] += s[t + 8];
  if (SIZE >= 8) s[t] += s[t + 4];
  if (SIZE >= 4) s[t] += s[t + 2];
  if (SIZE >= 2) s[t] += s[t + 1];
}

__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) last_warp<128>(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
