// expect: bounds=proved race-free=proved order-free=proved
// spmd: block=64
// What is never reached does not count.
__constant__ int table[64];
__global__ void fill(int *out) {
  int t = threadIdx.x;
  if (t > 64) table[t - 64] = t;
  out[blockIdx.x * 64 + t] = table[63 - t];
}
