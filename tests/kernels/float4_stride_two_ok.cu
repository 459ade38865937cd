// expect: race-free=proved order-free=proved
// Stores of four floats every four.
__global__ void dense(float2 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *reinterpret_cast<float4 *>(out + 2 * i) = make_float4(i, i, i, i);
}
