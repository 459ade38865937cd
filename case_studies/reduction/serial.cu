// spmd: block=32 grid=(n+8191)/8192 n=1000 require n >= 1, n <= 1000000000
// One thread a sum: what the others must come to.
__global__ void sum(const float *in, float *out, int n) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b * 256 >= n) return;
  float total = 0.0f;
  for (int i = 0; i < 256; i++)
    if (b * 256 + i < n) total += in[b * 256 + i];
  out[b] = total;
}
