// expect: race-free=refuted
// The place is captured by reference, whatever stands between the `&` and the name, and is 0 when it is used.
#define HERE & /* the place itself */
__global__ void k(int *a, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto at = [low = mask & i, HERE i] { return i + (low & 1) * 0; };
  i = 0;
  a[at()] = threadIdx.x;
}
