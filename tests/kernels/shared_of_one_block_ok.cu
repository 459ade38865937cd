// expect: race-free=proved
// spmd: block=32 grid=1
// In one block the pick names one thread.
__global__ void pick(const int *in, int *out) {
  __shared__ int pick;
  if (threadIdx.x == 0) pick = in[0];
  __syncthreads();
  if (pick == threadIdx.x) out[0] = threadIdx.x;
}
