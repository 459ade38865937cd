// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// Two copies of one thread into one cell, both under way: which comes last is open.
__global__ void twice(float *out, const float *in) {
  __shared__ float s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&s[t], &in[t + 64], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
