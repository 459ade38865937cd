// expect: race-free=unknown
// spmd: block=64 grid=1 require n > 1, n <= 1024
// A loop begins copies into one cell: which of them comes last is open.
__global__ void row(float *out, const float *in, int n) {
  __shared__ float s[64];
  for (int i = 0; i < n; i++) __pipeline_memcpy_async(&s[threadIdx.x], &in[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = s[threadIdx.x];
}
