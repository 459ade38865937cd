// spmd: block=128 grid=(n+127)/128 w[(n+7)/8] out[n] require n > 0, n <= 1000000
__global__ void unpack_halves(const unsigned *w, int *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  int byte = ((const unsigned char *)w)[i / 2];
  out[i] = i % 2 ? byte >> 4 : byte & 15;
}
