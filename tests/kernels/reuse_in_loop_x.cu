// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// The next round overwrites the tile while slower threads still read it.
__global__ void reuse_in_loop(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 3; k++) {
    s[t] = in[64 * k + t];
    __syncthreads();
    sum += s[63 - t];
  }
  out[t] = sum;
}
