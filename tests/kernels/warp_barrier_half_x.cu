// expect: race-free=refuted
// spmd: block=32
// The barrier names the lower half; the upper half goes on.
__global__ void turn(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x < 16) __syncwarp(0xffff);
  out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];
}
