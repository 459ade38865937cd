// expect: race-free=refuted barriers=proved
// spmd: require blockDim.x == 32
// Nothing orders the lanes of a warp by itself.
__global__ void turn(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];
}
