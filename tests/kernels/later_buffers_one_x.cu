// expect: race-free=refuted barriers=proved
// spmd: block=64 require tiles > 0
// The next tile goes into the buffer that is being read.
__global__ void sums(float *out, const float *in, int tiles) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  __pipeline_commit();
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&s[k % 2][t], &in[(k + 1) * 64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 2][63 - t];
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}
