// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// The reader looks one buffer ahead, where the next round may already write.
__global__ void three_buffers(const float *in, float *out) {
  __shared__ float s[3][64];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 5; k++) {
    s[k % 3][t] = in[64 * k + t];
    __syncthreads();
    if (k > 1) sum += s[(k + 1) % 3][63 - t];
  }
  out[t] = sum;
}
