// spmd: block=256 grid=(n+255)/256 x[n] out[n] require n > 0, n <= 1000000
__global__ void turn_staged(const float *x, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, first = blockIdx.x * 256;
  int count = n - first < 256 ? n - first : 256;
  if (t < count) s[t] = x[first + t];
  __syncthreads();
  if (t < count) out[first + t] = s[count - 1 - t];
}
