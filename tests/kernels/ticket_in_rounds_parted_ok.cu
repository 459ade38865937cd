// expect: race-free=proved barriers=proved
// spmd: grid=1
// The counter is reset in each round and slots repeat, but a barrier parts the rounds.
__global__ void push(const int *in, int *out, int rounds) {
  __shared__ int length;
  int t = threadIdx.x;
  for (int k = 0; k < rounds; k++) {
    if (t == 0) length = 0;
    __syncthreads();
    out[atomicAdd(&length, 1)] = in[t] + t + k;
    __syncthreads();
  }
}
