// expect: race-free=proved order-free=refuted
// spmd: block=256
// One thread a block adds what the block has summed: where few blocks have data, no order shows.
__global__ void total(const float *in, float *sum, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0.0f;
    for (int at = 0; at < 256; at++) all += part[at];
    atomicAdd(sum, all);
  }
}
