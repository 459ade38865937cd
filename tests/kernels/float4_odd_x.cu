// expect: bounds=refuted race-free=proved
// The halo of one cell moves every float4 off its place.
__global__ void shifted(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4 *>(out)[i] = *reinterpret_cast<const float4 *>(in + 4 * i + 1);
}
