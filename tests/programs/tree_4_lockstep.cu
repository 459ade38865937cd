// expect: race-free=refuted barriers=proved
// spmd: block=256
// at: block=256 grid=16 n=4000
// Tree reduction whose last warp relies on lock-step.
__global__ void sum(const int *in, int *out, unsigned n) {
  __shared__ volatile int s[256];
  unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned d = 128; d > 32; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
