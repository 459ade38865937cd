// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// A block of any size fills a table in strides.
__global__ void table(const int *in, int *out, int n) {
  __shared__ int s[300];
  for (int i = threadIdx.x; i < 300; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = s[(unsigned)in[i] % 300u];
}
