// spmd: block=256 grid=(n+255)/256 require n > 0, n <= 1000000
__global__ void clip_select(const float *in, float *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] >= 0.0f ? in[i] : 0.0f;
}
