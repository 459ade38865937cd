// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=2
// All write the same, but the other block's write and this block's read have no order.
__global__ void flag(int *flag, int *out) {
  flag[0] = 1;
  __syncthreads();
  out[32 * blockIdx.x + threadIdx.x] = flag[0];
}
