// expect: barriers=refuted
// What the first warp has passed alone does not make it a block of its own.
__global__ void part(int n) {
  if (threadIdx.x < 32) __syncwarp();
  for (int i = 0; i < n; i++) {
    if (threadIdx.x < 32) __syncthreads();
  }
}
