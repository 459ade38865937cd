// expect: race-free=proved barriers=proved
// An `&` inside a capture's value is an operator; the place is captured by value and keeps what it was.
__global__ void k(int *a, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto at = [i, low = mask & i, /* &i */ all = true && i] { return 2 * i + (low & 1) * all; };
  i = 0;
  a[at()] = threadIdx.x;
}
