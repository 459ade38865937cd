// expect: order-free=refuted
// spmd: block=64 grid=1 require n <= 1
// Barriers in some rounds only; the flag is set from the second round on.
__global__ void flag(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, f = 0;
  for (int i = 0; i < n; i++) {
    if (i > 0) f = 1;
    if (in[i]) __syncthreads();
  }
  if (f) s[t] = 1;
  __syncthreads();
  out[t] = s[t];
}
