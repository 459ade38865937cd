// expect: race-free=refuted barriers=proved
// spmd: require blockDim.x <= 256
// A barrier of a warp does not order what another warp wrote.
__global__ void turn(const int *in, int *out) {
  __shared__ int s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = in[i];
  __syncwarp();
  out[i] = s[blockDim.x - 1 - threadIdx.x];
}
