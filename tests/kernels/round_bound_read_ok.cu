// expect: race-free=proved no-wrap=proved
// A grid-stride loop up to a number that is computed from memory in a wider type: it wraps for large contents alone, which is
// assumed away aloud.
// spmd: block=256
__global__ void blocks_of(int *out, const unsigned long *num, const int *in) {
  int blocks = (int)((*num + 255) / 256);
  int s = 0;
  for (int b = blockIdx.x; b < blocks; b += gridDim.x) s += in[b];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
