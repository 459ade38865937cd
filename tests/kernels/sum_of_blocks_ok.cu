// expect: race-free=proved order-free=proved
// spmd: block=256
// One thread a block adds what the block has summed: of whole numbers no order shows.
__global__ void total(const int *in, int *sum, int n) {
  __shared__ int part[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int at = 0; at < 256; at++) all += part[at];
    atomicAdd(sum, all);
  }
}
