// expect: race-free=proved bounds=proved order-free=proved
// spmd: block=32 grid=1
// With a barrier the exchange is ordered.
__global__ void swap_pairs(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}
