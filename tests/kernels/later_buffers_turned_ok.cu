// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=64 require tiles > 0
// The buffer is told by a flag that every round turns.
__global__ void sums(float *out, const float *in, int tiles) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  int half = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  __pipeline_commit();
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&s[half ^ 1][t], &in[(k + 1) * 64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[half][63 - t];
    half ^= 1;
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}
