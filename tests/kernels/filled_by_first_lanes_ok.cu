// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: require blockDim.x % 32 == 0
// One value a warp, by its first lane.
__global__ void sums(const int *in, int *out) {
  __shared__ int part[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int v = in[blockIdx.x * blockDim.x + t];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++) sum += part[w];
    out[blockIdx.x] = sum;
  }
}
