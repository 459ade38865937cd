// spmd: block=256 grid=(n+255)/256 x[n] out[n] require n > 0, n <= 1000000
__global__ void turn(const float *x, float *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int first = blockIdx.x * 256;
  int count = min(256, n - first);
  if (i < n) out[i] = x[first + count - 1 - (int)threadIdx.x];
}
