// spmd: block=64 grid=(n+63)/64 p[(n+3)/4] out[n] require n > 0, n <= 1000000
__global__ void unpack_bytes(const unsigned *p, int *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = ((const unsigned char *)p)[i];
}
