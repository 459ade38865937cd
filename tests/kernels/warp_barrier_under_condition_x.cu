// expect: barriers=refuted
// spmd: block=32
// Half of the lanes that the barrier names go elsewhere.
__global__ void part(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16) __syncwarp();
  out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
}
