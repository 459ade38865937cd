// expect: barriers=proved race-free=proved
// spmd: block=64 grid=4
// The flag is read from memory, but it is one cell a block and nobody writes it.
__global__ void by_flag(const int *flag, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (flag[blockIdx.x] > 0) {
    __syncthreads();
    out[64 * blockIdx.x + t] = s[63 - t];
  }
}
