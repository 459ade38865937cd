// expect: barriers=refuted
// spmd: block=32 grid=1
// The upper half waits for the lower one, which names itself alone.
__global__ void part(int *a, int n) {
  int t = threadIdx.x;
  unsigned mask = 0xffffffffu;
  if (t < 16) {
    __syncwarp(0xffffu);
    mask = 0xffffu;
  }
  __syncwarp(mask);
  a[t] = n;
}
