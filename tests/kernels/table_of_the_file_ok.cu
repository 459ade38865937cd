// expect: race-free=proved
// A pointer of the file, which the host sets, and a table of them.
__device__ float *all;
__constant__ float *parts[4];
__global__ void k() {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  all[j] = 1;
  parts[blockIdx.x & 3][j] = 2;
}
