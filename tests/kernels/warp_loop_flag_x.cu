// expect: order-free=refuted
// spmd: block=64 grid=1
// The same among the lanes of a warp.
__global__ void flag(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, f = 0;
  for (int i = 0; i < n; i++) {
    f = 1;
    __syncwarp();
  }
  if (f) s[t] = t;
  __syncwarp();
  out[t] = s[t ^ 1];
}
