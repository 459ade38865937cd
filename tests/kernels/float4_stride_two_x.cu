// expect: race-free=refuted
// Stores of four floats every two floats overlap those of the neighbour.
__global__ void dense(float2 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *reinterpret_cast<float4 *>(out + i) = make_float4(i, i, i, i);
}
