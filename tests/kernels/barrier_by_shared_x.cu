// expect: race-free=refuted
// spmd: block=64 grid=2
// The flag is taken back while others still decide by it.
__global__ void by_shared(const int *in, int *out) {
  __shared__ int flag;
  int t = threadIdx.x;
  if (t == 0) flag = 1;
  __syncthreads();
  if (flag > 0) out[64 * blockIdx.x + t] = in[t];
  if (t == 0) flag = 0;
}
