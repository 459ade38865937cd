// expect: race-free=refuted
// Dynamic shared memory is shared: the neighbour's cell is read with no barrier between.
__global__ void dynamic_shared(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[t];
  out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}
