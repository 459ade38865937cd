// expect: race-free=refuted barriers=proved
// No barrier between the rounds: a cell is read while the next round writes it.
__global__ void tree(const float *in, float *out) {
  extern __shared__ float part[];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned width = blockDim.x / 2; width > 0; width >>= 1) {
    if (t < width) part[t] += part[t + width];
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
