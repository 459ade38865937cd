// expect: race-free=proved assertions=proved
// A text is true as a condition.
__global__ void k(int *a, const char *unused) {
  const char *name = "row";
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i >= 0 && "a place in the array");
  if (name) a[i] = i;
  else a[0] = i;
}
