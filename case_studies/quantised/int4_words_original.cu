// spmd: block=256 grid=(n+255)/256 n=1000 require n >= 1, n <= 1000000000
// Eight four-bit numbers a word; one thread a number.
__global__ void unpack(const unsigned *packed, const float *scale, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int q = (packed[i / 8] >> (4 * (i % 8))) & 0xf;
  out[i] = (float)(q - 8) * scale[0];
}
