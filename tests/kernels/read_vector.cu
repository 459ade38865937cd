// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// Vectors of four.
__global__ void copy(const float4 *in, float4 *out) {
  out[threadIdx.x] = in[threadIdx.x];
}
