// spmd: block=128 grid=(n+127)/128 require n > 0, n <= 1000000
__global__ void clip(const float *in, float *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  if (v > 0.0f) out[i] = v;
  else out[i] = 0.0f;
}
