// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// Counting wraps behind 32 slots, and a block has 64 threads.
__global__ void push(const int *in, int *out) {
  __shared__ unsigned head;
  int t = threadIdx.x;
  if (t == 0) head = 0;
  __syncthreads();
  out[atomicInc(&head, 31u)] = in[t] + t;
}
