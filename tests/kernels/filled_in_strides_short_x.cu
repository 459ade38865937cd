// expect: order-free=refuted
// The same, one cell short.
__global__ void table(const int *in, int *out, int n) {
  __shared__ int s[300];
  for (int i = threadIdx.x; i < 299; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = s[299];
}
