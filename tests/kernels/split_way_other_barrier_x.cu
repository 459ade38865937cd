// expect: barriers=refuted
// spmd: block=64 grid=1
// Half of the block waits at one barrier, half at another.
__global__ void part(int n) {
  int t = threadIdx.x, x = 0;
  if (t < 32) {
    __syncwarp();
    x = 1;
  }
  for (int i = 0; i < n; i++) {
    if (x) {
      __syncthreads();
    } else {
      __syncthreads();
      __syncthreads();
    }
  }
}
