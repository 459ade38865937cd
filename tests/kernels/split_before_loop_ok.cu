// expect: barriers=proved
// The same with a barrier that all threads reach.
__global__ void part(int n) {
  if (threadIdx.x < 32) __syncwarp();
  for (int i = 0; i < n; i++) __syncthreads();
}
