// expect: race-free=proved
// An array of pointers in shared memory.
// spmd: block=64 grid=4
__global__ void k(float *a, float *b) {
  __shared__ float *p[2];
  if (threadIdx.x < 2) p[threadIdx.x] = threadIdx.x ? a : b;
  __syncthreads();
  p[threadIdx.x & 1][blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
