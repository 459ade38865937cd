// expect: race-free=proved barriers=proved order-free=refuted
// at: block=256 grid=64
// A minimum of a block between two readings of the clock: an output of time is no function of the input.
__global__ void timed(const float *in, float *out, clock_t *timer) {
  extern __shared__ float s[];
  int t = threadIdx.x, b = blockIdx.x;
  if (t == 0) timer[b] = clock();
  s[t] = in[t];
  s[t + blockDim.x] = in[t + blockDim.x];
  for (int d = blockDim.x; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      float mine = s[t], other = s[t + d];
      if (other < mine) s[t] = other;
    }
  }
  if (t == 0) out[b] = s[0];
  __syncthreads();
  if (t == 0) timer[b + gridDim.x] = clock();
}
