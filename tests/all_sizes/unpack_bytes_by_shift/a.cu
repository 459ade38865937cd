// spmd: block=128 grid=(n+127)/128 p[(n+3)/4] out[n] require n > 0, n <= 1000000
__global__ void unpack(const unsigned *p, int *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] = (p[i / 4] >> (8 * (i % 4))) & 255;
}
