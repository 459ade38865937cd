// expect: verdict=unknown message=cover .*barrier of the whole warp
// spmd: require blockDim.x <= 32
// A barrier of one warp must not be taken for nothing, nor for a block's barrier.
__global__ void exchange(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
