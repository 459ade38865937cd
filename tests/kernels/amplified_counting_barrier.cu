// expect: verdict=proved race-free=proved barriers=proved
// spmd: block=32 grid=1
// A barrier that returns a value.
__global__ void vote(const int *in, int *out) {
  int n = __syncthreads_count(in[threadIdx.x] > 0);
  out[threadIdx.x] = n;
}
