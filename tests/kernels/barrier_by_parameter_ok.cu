// expect: barriers=proved race-free=proved
// The same argument for all threads; it has no bound.
__global__ void by_parameter(int *data, int n) {
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  data[i] = t;
  if (n > 5) __syncthreads();
  data[i] += 1;
}
