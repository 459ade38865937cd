// expect: bounds=refuted race-free=proved
// spmd: block=64 require aligned(out, 4), aligned(in, 16)
// What is passed may be the middle of a buffer.
__global__ void copied(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4 *>(out)[i] = reinterpret_cast<const float4 *>(in)[i];
}
