// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// A thread writes a cell into which its own copy is under way: which comes last is open.
__global__ void over(float *out, const float *in, float by) {
  __shared__ float s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  s[t] = by;
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
