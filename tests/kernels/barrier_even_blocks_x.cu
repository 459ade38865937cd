// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=2
// The odd block goes without a barrier.
__global__ void even_blocks(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  if (blockIdx.x % 2 == 0) __syncthreads();
  out[64 * blockIdx.x + t] = s[63 - t];
}
