// expect: race-free=proved barriers=proved
// A barrier that returns a value returns the same one to all.
__global__ void vote(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = __syncthreads_count(in[i] > 0);
  if (n > 3) __syncthreads();
  out[i] = n;
}
