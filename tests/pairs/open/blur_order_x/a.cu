// spmd: block=128 grid=(n+127)/128 require n > 0, n <= 1000000
__global__ void blur(const float *in, float *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float left = i > 0 ? in[i - 1] : 0.0f;
  float right = i < n - 1 ? in[i + 1] : 0.0f;
  out[i] = left + in[i] + right;
}
