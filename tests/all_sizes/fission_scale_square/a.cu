// spmd: block=256 grid=(n+255)/256 x[n] out[n] require n > 0, n <= 1000000
__global__ void scaled_square(const float *x, float *out, float a, float b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    float v = a * x[i] + b;
    out[i] = v * v;
  }
}
