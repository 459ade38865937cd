// spmd: block=256 grid=(2*bytes+255)/256 packed[bytes] out[2*bytes] require bytes > 0, bytes <= 1000000
__global__ void unpack(const unsigned char *packed, int *out, int bytes) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < 2 * bytes) out[i] = ((packed[i / 2] >> (4 * (i % 2))) & 15) - 8;
}
