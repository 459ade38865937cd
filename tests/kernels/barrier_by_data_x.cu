// expect: barriers=refuted
// spmd: block=64 grid=4
// The flag is a cell a thread.
__global__ void by_data(const int *flag, int *out) {
  int t = threadIdx.x;
  if (flag[t] > 0) __syncthreads();
  out[64 * blockIdx.x + t] = t;
}
