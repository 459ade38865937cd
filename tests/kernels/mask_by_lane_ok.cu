// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=32
// Which lane writes is a bit of a constant mask, told by a shift with the lane's number.
__global__ void k(int *out) {
  __shared__ int s[2];
  int t = threadIdx.x, sum = 0;
  if (t < 2) s[t] = 0;
  __syncthreads();
  if ((0x80000001u >> t) & 1) s[t / 31] = t;
  __syncthreads();
  if ((1 << t) & 0x00f0) sum = s[1];
  out[blockIdx.x * 32 + t] = sum;
}
