// expect: race-free=proved barriers=proved order-free=refuted
// spmd: block=64 grid=2
// Slots that one shared counter hands out are distinct; who gets which depends on the order.
__global__ void push(const int *in, int *out) {
  __shared__ int queue[64];
  __shared__ int length;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t == 0) length = 0;
  __syncthreads();
  queue[atomicAdd(&length, 1)] = in[i] + t;
  __syncthreads();
  out[i] = queue[t];
}
