// expect: race-free=refuted barriers=proved
// spmd: block=64 require tiles > 0
// No barrier between the wait and the reads of what other threads have copied.
__global__ void sums(float *out, const float *in, int tiles) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  __pipeline_commit();
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    sum += s[k % 2][63 - t];
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}
