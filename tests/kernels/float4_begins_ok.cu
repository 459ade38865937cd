// expect: race-free=proved order-free=proved
// spmd: block=64 require aligned(out, 16), aligned(in, 16)
// What is passed begins where float4 may.
__global__ void copied(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4 *>(out)[i] = reinterpret_cast<const float4 *>(in)[i];
}
