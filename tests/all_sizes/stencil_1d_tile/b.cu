// spmd: block=256 grid=(n+255)/256 x[n] out[n] require n > 0, n <= 1000000
__global__ void blur_tile(const float *x, float *out, int n) {
  __shared__ float s[258];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i < n) s[t + 1] = x[i];
  if (t == 0 && i > 0) s[0] = x[i - 1];
  if (t == 255 && i + 1 < n) s[257] = x[i + 1];
  __syncthreads();
  if (i >= n) return;
  if (i > 0 && i + 1 < n) out[i] = 0.25f * s[t] + 0.5f * s[t + 1] + 0.25f * s[t + 2];
  else out[i] = s[t + 1];
}
