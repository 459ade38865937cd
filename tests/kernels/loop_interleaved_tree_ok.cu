// expect: race-free=proved barriers=proved
// Neighbours first: the distance doubles.
__global__ void tree(const int *in, int *out) {
  extern __shared__ int part[];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned apart = 1; apart < blockDim.x; apart *= 2) {
    if (t % (2 * apart) == 0 && t + apart < blockDim.x) part[t] += part[t + apart];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
