// expect: barriers=refuted
// spmd: require flag[i] == 0 || flag[i] == 1
// Elements that part the threads.
__global__ void meet(int *out, const int *flag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (flag[i] != 1) __syncthreads();
  out[i] = flag[i];
}
