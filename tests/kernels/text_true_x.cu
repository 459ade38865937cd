// expect: race-free=refuted
// A text is true as a condition, and its negation is not.
__global__ void k(int *a) {
  const char *name = "row";
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[!name ? i : 0] = i;
}
