// expect: race-free=refuted
// spmd: block=128 grid=(n+127)/128 require n > 0, n <= 1000000
// In place the two ends of a reversal meet without an order.
__global__ void backwards(int *data, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) data[n - 1 - i] = data[i];
}
