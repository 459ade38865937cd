// expect: race-free=proved barriers=proved
// spmd: block=32 grid=4
// The ring closes inside the block.
__global__ void ring(int *data, int *out) {
  int base = blockIdx.x * 32;
  int t = threadIdx.x;
  data[base + t] = t;
  __syncthreads();
  out[base + t] = data[base + (t + 1) % 32];
}
