// expect: race-free=proved barriers=proved
// spmd: require blockDim.x <= 256, parts >= 0
// Some rounds of the outer loop come to no barrier at all; those write nothing that others read.
__global__ void sums(int *out, const int *in, int rounds, int parts) {
  __shared__ int s[256];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < rounds; k++) {
    for (int p = 0; p < parts; p++) {
      s[t] = in[k + p];
      __syncthreads();
      sum += s[(t + 1) % blockDim.x];
      __syncthreads();
    }
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}
