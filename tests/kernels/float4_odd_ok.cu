// expect: race-free=proved order-free=proved
// The halo of four cells keeps every float4 in its place.
__global__ void shifted(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4 *>(out)[i] = *reinterpret_cast<const float4 *>(in + 4 * i + 4);
}
