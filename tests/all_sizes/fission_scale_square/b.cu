// spmd: block=256 grid=(n+255)/256 x[n] scratch[n] require n > 0, n <= 1000000
__global__ void scaled(const float *x, float *scratch, float a, float b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) scratch[i] = a * x[i] + b;
}

// spmd: block=128 grid=(n+127)/128 scratch[n] out[n] require n > 0, n <= 1000000
__global__ void squared(const float *scratch, float *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] = scratch[i] * scratch[i];
}
