// spmd: block=128 grid=(n+255)/256 n=1000 require n >= 1, n <= 1000000000
// v4 as it was once written: the last warp adds without barriers, which is right only in lock-step.
__global__ void sum(const float *in, float *out, int n) {
  __shared__ volatile float s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  s[t] = (i < n ? in[i] : 0.0f) + (i + blockDim.x < n ? in[i + blockDim.x] : 0.0f);
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
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
