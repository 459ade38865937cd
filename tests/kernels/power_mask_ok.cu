// expect: race-free=proved
// spmd: block=64 require s > 0, (s & (s - 1)) == 0
// Pairs of a butterfly: the bits below a power of two, and the rest moved up by one.
__global__ void butterfly(int *data, int s) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  int low = pair & (s - 1), first = 2 * (pair - low) + low;
  int a = data[first], b = data[first + s];
  data[first] = a + b;
  data[first + s] = a - b;
}
