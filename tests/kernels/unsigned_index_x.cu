// expect: bounds=refuted
// spmd: block=64 grid=1
// For thread 0 the unsigned index is 2^32 - 1.
__global__ void before(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x - 1];
}
