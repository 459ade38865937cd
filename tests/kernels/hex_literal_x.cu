// expect: race-free=refuted
// spmd: block=8 grid=1
// 0x80000000 is unsigned, so the comparison is, and t - 4 is huge for the first four threads.
__global__ void hex(int *out) {
  int t = threadIdx.x;
  if (t - 4 > 0x80000000) out[0] = t;
}
