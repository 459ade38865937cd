// expect: bounds=refuted
// spmd: block=32 grid=1
// The guard counts floats where four are written.
__global__ void tail(float *out) {
  __shared__ float s[100];
  int t = threadIdx.x;
  if (4 * t < 102) reinterpret_cast<float4 *>(s)[t] = make_float4(t, t, t, t);
  __syncthreads();
  out[t] = s[t];
}
