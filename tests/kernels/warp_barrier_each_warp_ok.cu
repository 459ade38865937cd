// expect: race-free=proved barriers=proved
// spmd: require blockDim.x <= 256
// Each warp keeps to its own part of the array.
__global__ void turn(const int *in, int *out) {
  __shared__ int s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = in[i];
  __syncwarp();
  out[i] = s[threadIdx.x / 32 * 32 + 31 - threadIdx.x % 32];
}
