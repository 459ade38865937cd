// expect: race-free=refuted barriers=refuted
// spmd: block=32 grid=2 require n > 0
// Block 1 may set the flag between the reads of two threads of block 0.
__global__ void by_other_block(int *flag, int *out, int n) {
  int t = threadIdx.x;
  if (blockIdx.x == 1 && t == 0) flag[0] = n;
  if (blockIdx.x == 0 && flag[0] == n) __syncthreads();
  out[32 * blockIdx.x + t] = t;
}
