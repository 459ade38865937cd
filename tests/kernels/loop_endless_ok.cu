// expect: race-free=proved barriers=proved
// spmd: block=32 grid=1
// An unsigned counter is never below zero.
__global__ void endless(int *out) {
  for (unsigned k = 7; k >= 0; k--) out[8 * threadIdx.x + (k & 7)] = 1;
}
