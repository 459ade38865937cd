// expect: race-free=refuted
// spmd: block=64 require s > 1, (s & (s - 1)) == 0
// A bit more than the mask should have: the partner is another pair's own cell.
__global__ void butterfly(int *data, int s) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  int low = pair & (2 * s - 1), first = 2 * (pair - low) + low;
  int a = data[first], b = data[first + s];
  data[first] = a + b;
  data[first + s] = a - b;
}
