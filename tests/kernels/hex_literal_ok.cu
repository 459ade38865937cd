// expect: race-free=proved
// spmd: block=8 grid=1
// 2147483648 is a long, so the comparison is signed and never holds.
__global__ void decimal(int *out) {
  int t = threadIdx.x;
  if (t - 4 > 2147483648) out[0] = t;
}
