// expect: barriers=refuted
// The other warps go through the loop without any barrier.
__global__ void part(int n) {
  int t = threadIdx.x, x = 0;
  if (t < 32) {
    __syncwarp();
    x = 1;
  }
  for (int i = 0; i < n; i++) {
    if (x) __syncthreads();
  }
}
