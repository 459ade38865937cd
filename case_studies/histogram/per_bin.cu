// spmd: block=16 grid=4 n=1003 h[64] require n >= 1, n <= 1000000000
// No atomics: one thread a bin goes over all elements and counts its own.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  int bin = blockIdx.x * blockDim.x + threadIdx.x;
  if (bin >= 64) return;
  unsigned count = 0;
  for (int i = 0; i < n; i++)
    if (data[i] >> 2 == bin) count++;
  h[bin] += count;
}
