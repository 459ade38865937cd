// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// All cells are 0 when they are read: the barrier of the warp is behind what set them.
__global__ void part(int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  s[t] = 0;
  __syncwarp();
  a[s[t ^ 1]] = t;
}
