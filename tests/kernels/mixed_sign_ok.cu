// expect: bounds=proved race-free=proved
// spmd: block=64 grid=1
// A negative int compared with an unsigned is huge, so thread 0 fails the guard.
__global__ void left(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  int before = t - 1;
  if (before < 64u) out[t] = s[before];
}
