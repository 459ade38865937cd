// spmd: block=64 grid=n/64 require n > 0, n <= 1000000, n % 64 == 0
__global__ void sum_serial(const float *in, float *sums, int n) {
  if (threadIdx.x != 0) return;
  float sum = 0.0f;
  for (int k = 0.0f; k < 64; k++) sum += in[blockIdx.x * 64 + k];
  sums[blockIdx.x] = sum;
}
