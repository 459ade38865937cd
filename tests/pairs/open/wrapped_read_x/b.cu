// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 60000, f >= 100000, f <= 200000
__global__ void stride(const int *in, int *out, unsigned f, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = in[(unsigned)(((unsigned long long)i * f) / 7u)];
}
