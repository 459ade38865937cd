// expect: race-free=proved barriers=proved
// spmd: grid=1 require n <= 1024
// A loop begins copies one above the other; they end before anybody reads.
__global__ void row(float *out, const float *in, int n) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < n; i += blockDim.x) __pipeline_memcpy_async(&s[i], &in[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[n - 1 - i];
}
