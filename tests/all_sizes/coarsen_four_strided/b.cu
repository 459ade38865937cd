// spmd: block=256 grid=(n+1023)/1024 x[n] y[n] out[n] require n > 0, n <= 1000000
__global__ void add_four(const int *x, const int *y, int *out, int n) {
  int i = blockIdx.x * 1024 + threadIdx.x;
  for (int j = 0; j < 4; j++, i += 256)
    if (i < n) out[i] = x[i] + y[i];
}
