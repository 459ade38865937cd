// expect: order-free=proved verdict=proved
// spmd: block=64 grid=1
// An unset cell is read, but the value reaches no output: a warning only.
__global__ void unset_unused(const int *in, int *out) {
  __shared__ int s[65];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  int next = s[t + 1];
  out[t] = t < 63 ? next : 0;
}
