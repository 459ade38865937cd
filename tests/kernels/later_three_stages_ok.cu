// expect: race-free=proved barriers=proved
// spmd: block=64 grid=1 require tiles > 2
// Three buffers, two tiles under way.
__global__ void sums(float *out, const float *in, int tiles) {
  __shared__ float s[3][64];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 2; k++) {
    __pipeline_memcpy_async(&s[k][t], &in[k * 64 + t], 4);
    __pipeline_commit();
  }
  for (int k = 0; k < tiles; k++) {
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 3][63 - t];
    if (k + 2 < tiles) __pipeline_memcpy_async(&s[(k + 2) % 3][t], &in[(k + 2) * 64 + t], 4);
    __pipeline_commit();
  }
  out[t] = sum;
}
