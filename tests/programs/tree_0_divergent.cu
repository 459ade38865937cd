// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=16 n=4000
// Tree reduction: neighbours first, by remainder.
__global__ void sum(const int *in, int *out, unsigned n) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0 && t + d < blockDim.x) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
