// expect: race-free=proved barriers=proved bounds=proved
// spmd: block=64 grid=1
// A second barrier keeps the tile until all have read it.
__global__ void reuse_in_loop(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 3; k++) {
    s[t] = in[64 * k + t];
    __syncthreads();
    sum += s[63 - t];
    __syncthreads();
  }
  out[t] = sum;
}
