// spmd: block=128 grid=(n+127)/128 x[n] out[n] require n > 0, n <= 1000000, terms >= 0, terms <= 20000
__global__ void weighted_differences(const int *x, int *out, int n, int terms) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  int s = x[i], square = 0, odd = 1;
  for (int k = 0; k < terms; k++) {
    s = s * 3 + square;
    square += odd;
    odd += 2;
  }
  out[i] = s;
}
