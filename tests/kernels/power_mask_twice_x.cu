// expect: race-free=refuted
// spmd: block=64 require s > 0, (s & (s - 1)) == 0
// Three times a power of two is none.
__global__ void halves(int *data, int s) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if ((at & (3 * s - 1)) < s) {
    int a = data[at], b = data[at + s];
    data[at] = a + b;
    data[at + s] = a - b;
  }
}
