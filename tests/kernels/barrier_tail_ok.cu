// expect: barriers=proved race-free=proved bounds=proved
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 100000, n % 64 == 0
// With whole blocks the guard cuts nothing.
__global__ void tail(const int *in, int *out, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[63 - threadIdx.x];
}
