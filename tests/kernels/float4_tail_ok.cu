// expect: bounds=proved race-free=proved
// spmd: block=32 grid=1
// The guard leaves out who would write beyond the end.
__global__ void tail(float *out) {
  __shared__ float s[100];
  int t = threadIdx.x;
  if (4 * t + 3 < 100) reinterpret_cast<float4 *>(s)[t] = make_float4(t, t, t, t);
  __syncthreads();
  out[t] = s[t];
}
