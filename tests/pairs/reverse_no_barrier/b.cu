// spmd: block=64 grid=n/64+1 require n > 0, n <= 1000000
__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int from = blockIdx.x * 64;
  int whole = from + 64 <= n;
  if (whole) s[63 - t] = in[from + t];
  if (whole) out[n - 64 - from + t] = s[t];
}
