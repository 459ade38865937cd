// expect: barriers=refuted
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 100000
// The guard cuts the last block.
__global__ void tail(const int *in, int *out, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[threadIdx.x];
}
