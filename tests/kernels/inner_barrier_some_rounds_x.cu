// expect: race-free=refuted barriers=proved
// spmd: require blockDim.x <= 256
// In an odd round nothing orders the write after the reads of the round before.
__global__ void sums(int *out, int rounds) {
  __shared__ int s[256];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < rounds; k++) {
    if (k % 2 == 0) {
      s[t] = k;
      __syncthreads();
    }
    sum += s[(t + 1) % blockDim.x];
    if (k % 2 == 1) s[t] = -k;
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}
