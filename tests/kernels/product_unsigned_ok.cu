// expect: race-free=proved
// Unsigned sizes, whose products may wrap: taken not to, aloud.
__global__ void slices(float *out, const float *in, unsigned n, unsigned m) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n * m; i += blockDim.x * gridDim.x)
    out[blockIdx.y * n * m + i] = in[i];
}
