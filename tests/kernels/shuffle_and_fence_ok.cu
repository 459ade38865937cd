// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=32 grid=1
// The same with a barrier of the warp.
__global__ void turn(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp();
  int v = __shfl_sync(0xffffffff, t, 31 - t);
  out[t] = s[31 - t] + v;
}
