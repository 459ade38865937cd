// expect: barriers=refuted
// The other warps make one round more.
__global__ void part(int n) {
  if (threadIdx.x < 32) __syncwarp();
  for (int i = 0; i < (threadIdx.x < 32 ? n : n + 1); i++) __syncthreads();
}
