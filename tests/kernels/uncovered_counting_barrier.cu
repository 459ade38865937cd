// expect: verdict=unknown message=cover .*exchange among lanes .count.
// A barrier that returns a value.
__global__ void vote(const int *in, int *out) {
  int n = __syncthreads_count(in[threadIdx.x] > 0);
  out[threadIdx.x] = n;
}
