// expect: race-free=proved
// spmd: block=64 grid=1
// 0.1f and 0.1 are different numbers, so nobody writes.
__global__ void tenth(int *out) {
  float x = 0.1f;
  if (x == 0.1) out[0] = threadIdx.x;
}
