// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000
__global__ void reverse_guarded(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int i = blockIdx.x * 64 + t;
  if (i < n) {
    s[t] = in[i];
    __syncthreads();
    out[n - 1 - i] = s[t];
  }
}
