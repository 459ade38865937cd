// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 1000000
__global__ void blur_tile(const float *in, float *out, int n) {
  __shared__ float s[34];
  int t = threadIdx.x;
  int i = blockIdx.x * 32 + t;
  s[t + 1] = i < n ? in[i] : 0.0f;
  if (t == 0) s[0] = i > 0 ? in[i - 1] : 0.0f;
  if (t == 31) s[33] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = s[t] + (s[t + 1] + s[t + 2]);
}
