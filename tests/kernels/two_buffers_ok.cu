// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64 grid=1
// Two buffers in turn need one barrier a round.
__global__ void two_buffers(const float *in, float *out) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 5; k++) {
    s[k & 1][t] = in[64 * k + t];
    __syncthreads();
    sum += s[k & 1][63 - t];
  }
  out[t] = sum;
}
