// expect: bounds=refuted
// spmd: block=32 grid=1
// Rows of 33 floats have no bank conflicts, and no float4 at their beginning.
__global__ void rows(float *out, const float *in) {
  __shared__ float tile[32 * 33];
  for (int k = 0; k < 32; k++) tile[k * 33 + threadIdx.x] = in[k * 32 + threadIdx.x];
  __syncthreads();
  float4 v = *reinterpret_cast<const float4 *>(&tile[threadIdx.x * 33]);
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
