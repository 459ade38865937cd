// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// What a neighbour stored after the barrier of the block, and before that of the warp, is what a lane reads.
__global__ void neighbour(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  s[t ^ 1] = 5;
  __syncwarp();
  out[s[t]] = t;
}
