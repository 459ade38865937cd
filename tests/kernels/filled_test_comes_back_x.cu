// expect: order-free=refuted
// spmd: block=64 grid=1
// The test of a later round holds again, but nobody comes to that round.
__global__ void table(const int *in, int *out, int n) {
  __shared__ int s[256];
  for (int i = 0; (i * i - 4 * i + 3) >= 0 && i < n; i++) s[(threadIdx.x + i * 64) % 256] = 1;
  __syncthreads();
  if (n > 3) out[threadIdx.x] = s[threadIdx.x + 192];
}
