// expect: race-free=refuted
// spmd: block=64 require s > 0
// The same of any number: of 3, pairs 1 and 2 meet.
__global__ void butterfly(int *data, int s) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  int low = pair & (s - 1), first = 2 * (pair - low) + low;
  int a = data[first], b = data[first + s];
  data[first] = a + b;
  data[first + s] = a - b;
}
