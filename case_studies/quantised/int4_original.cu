// spmd: block=256 grid=(n+255)/256 n=1000 require n >= 1, n <= 1000000000
// Two four-bit numbers a byte, the lower one first, offset by eight; one thread a number.
__global__ void unpack(const unsigned char *packed, const float *scale, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char byte = packed[i / 2];
  int q = i % 2 == 0 ? byte & 0x0f : byte >> 4;
  out[i] = (float)(q - 8) * scale[0];
}
