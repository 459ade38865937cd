// expect: verdict=unsupported message=own variable in shared memory
// A block's pointer to a thread's own variable.
__global__ void k(float *a) {
  __shared__ float *p;
  float x = threadIdx.x;
  p = &x;
  __syncthreads();
  a[threadIdx.x] = *p;
}
