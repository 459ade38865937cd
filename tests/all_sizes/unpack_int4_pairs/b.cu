// spmd: block=64 grid=2 packed[bytes] out[2*bytes] require bytes > 0, bytes <= 1000000
__global__ void unpack_bytes(const unsigned char *packed, int *out, int bytes) {
  for (int i = blockIdx.x * 64 + threadIdx.x; i < bytes; i += 128) {
    int both = packed[i];
    out[2 * i] = (both & 0xf) - 8;
    out[2 * i + 1] = (both >> 4) - 8;
  }
}
