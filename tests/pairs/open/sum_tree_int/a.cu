// spmd: block=64 grid=n/64 require n > 0, n <= 1000000, n % 64 == 0
__global__ void sum_serial(const int *in, int *sums, int n) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int k = 0; k < 64; k++) sum += in[blockIdx.x * 64 + k];
  sums[blockIdx.x] = sum;
}
