// expect: race-free=refuted
// Both are one array, and two threads write a cell.
// spmd: block=64 grid=1
__global__ void k(float *a) {
  __shared__ float *p[2];
  if (threadIdx.x < 2) p[threadIdx.x] = a + threadIdx.x;
  __syncthreads();
  p[threadIdx.x & 1][threadIdx.x] = threadIdx.x;
}
