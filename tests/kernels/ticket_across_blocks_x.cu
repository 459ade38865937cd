// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=2
// Each block has a counter of its own: slots of two blocks are the same.
__global__ void push(const int *in, int *out) {
  __shared__ int length;
  int t = threadIdx.x;
  if (t == 0) length = 0;
  __syncthreads();
  out[atomicAdd(&length, 1)] = in[blockIdx.x * 64 + t] + t;
}
