// expect: barriers=proved race-free=proved
// spmd: block=64 grid=2
// Thread 0 sets the flag, a barrier publishes it, all threads then agree on it.
__global__ void by_shared(const int *in, int *out) {
  __shared__ int flag;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) flag = in[blockIdx.x];
  s[t] = t;
  __syncthreads();
  if (flag > 0) {
    s[63 - t] = in[t];
    __syncthreads();
  }
  out[64 * blockIdx.x + t] = s[t];
}
