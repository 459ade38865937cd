// The staged reversal without its barrier: one sync-segment, in which s is both written and read.
__global__ void reverse(const int *in, int *out) {
  extern __shared__ int s[];
  int from = blockIdx.x * blockDim.x + threadIdx.x;
  int to = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  s[blockDim.x - 1 - threadIdx.x] = in[from];
  out[to] = s[threadIdx.x];
}
