// expect: race-free=proved barriers=proved
// As many rounds as the block says: all its threads make them.
__global__ void rounds(const int *count, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = t;
  for (int k = 0; k < count[blockIdx.x]; k++) {
    __syncthreads();
    int next = s[(t + 1) % blockDim.x];
    __syncthreads();
    s[t] = next;
  }
  out[blockIdx.x * blockDim.x + t] = s[t];
}
