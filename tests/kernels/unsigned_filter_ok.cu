// expect: race-free=proved bounds=proved
// spmd: block=64 grid=1
// Below thread 8 the difference wraps to something huge, which the guard keeps out.
__global__ void unsigned_filter(const int *in) {
  __shared__ int s[8];
  unsigned d = threadIdx.x - 8u;
  if (d < 8u) s[d] = in[threadIdx.x];
}
