// expect: race-free=proved barriers=proved
// spmd: require blockDim.x == 32
// Lanes of one warp exchange values through shared memory.
__global__ void turn(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  __syncwarp();
  out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];
}
