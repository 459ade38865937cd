// spmd: block=128 grid=(n+127)/128 w[(n+7)/8] out[n] require n > 0, n <= 1000000
__global__ void unpack(const unsigned *w, int *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] = (w[i / 8] >> (4 * (i & 7))) & 15;
}
