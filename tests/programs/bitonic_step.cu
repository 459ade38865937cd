// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=16 j=64 k=128
// One step of a bitonic sort in global memory.
__global__ void step(int *a, int j, int k) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, p = i ^ j;
  if (p > i) {
    bool up = (i & k) == 0;
    if ((a[i] > a[p]) == up) {
      int x = a[i];
      a[i] = a[p];
      a[p] = x;
    }
  }
}
