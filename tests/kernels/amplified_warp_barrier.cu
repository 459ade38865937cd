// expect: verdict=proved race-free=proved barriers=proved
// spmd: block=32 grid=1
// A barrier of one warp must not be taken for nothing, nor for a block's barrier.
__global__ void exchange(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
