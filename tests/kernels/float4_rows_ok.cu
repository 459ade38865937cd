// expect: race-free=proved bounds=proved
// spmd: block=32 grid=1
// Rows of 36 floats have a float4 at their beginning.
__global__ void rows(float *out, const float *in) {
  __shared__ float tile[32 * 36];
  for (int k = 0; k < 32; k++) tile[k * 36 + threadIdx.x] = in[k * 32 + threadIdx.x];
  __syncthreads();
  float4 v = *reinterpret_cast<const float4 *>(&tile[threadIdx.x * 36]);
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
