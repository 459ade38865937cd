// spmd: block=256 grid=(n+255)/256 x[n] sums[(n+255)/256] require n > 0, n <= 1000000
__global__ void sums_last_warp(const float *x, float *sums, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (t < 128) s[t] += s[t + 128];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    float v = s[t] + s[t + 32];
    s[t] = v;
    __syncwarp();
    for (int d = 16; d > 0; d >>= 1) {
      if (t < d) v += s[t + d];
      __syncwarp();
      s[t] = v;
      __syncwarp();
    }
    if (t == 0) sums[blockIdx.x] = v;
  }
}
