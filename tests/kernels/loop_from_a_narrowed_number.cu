// expect: race-free=proved order-free=proved no-wrap=proved
// A loop begins with a number that is cut from 64 bits to 32: what C says of that is no overflow, whatever the sizes.
__global__ void k(float *out, const float *in, unsigned long n, int h, int w) {
  int size = h * w;
  unsigned long all = n / size / 8 * size;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += blockDim.x * gridDim.x) {
    const int c = i / size * 8ul;
    const int end = c + 8ul;
    float sum = 0;
    for (int j = c; j < end; j++) sum += in[j];
    out[i] = sum;
  }
}
