// expect: race-free=proved barriers=proved
// What stands before the semicolon in the head of an `if` is done before the test.
__global__ void k(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
  if (at = i; at >= 0) a[at] = i;
  else a[0] = i;
}
