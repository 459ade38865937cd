// expect: race-free=proved order-free=proved
// The sign bit of a float.
__global__ void sign(const float *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __float_as_int(in[i]) >> 31;
}
