// expect: race-free=proved no-wrap=proved
// spmd: block=1024 grid=1
// The short turns negative half way, and all values stay distinct.
__global__ void short_spread(const int *in, int *out) {
  short wide = threadIdx.x * 64;
  out[wide + 32768] = in[threadIdx.x];
}
