// expect: race-free=proved barriers=proved order-free=proved
// spmd: require blockDim.x % 32 == 0
// at: block=256 grid=16 n=100000
// Tree reduction by shuffles: a sum a warp, then one of those.
__global__ void sum(const float *in, float *out, int n) {
  __shared__ float part[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < blockDim.x / 32 ? part[lane] : 0;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (lane == 0) out[blockIdx.x] = v;
  }
}
