// expect: barriers=proved race-free=proved
// spmd: require flag[i] == 0 || flag[i] == 2
// A value that no element has does not part the threads.
__global__ void meet(int *out, const int *flag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (flag[i] != 1) __syncthreads();
  out[i] = flag[i];
}
