// spmd: block=128 grid=(n+127)/128 x[n] out[n] require n > 0, n <= 1000000, terms >= 0, terms <= 20000
__global__ void weighted(const int *x, int *out, int n, int terms) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  int s = x[i];
  for (int k = 0; k < terms; k++) s = s * 3 + k * k;
  out[i] = s;
}
