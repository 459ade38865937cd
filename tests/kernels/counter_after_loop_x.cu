// expect: race-free=refuted
// spmd: block=32 grid=1
// After the loop the counter is 4 and out[4 * t + k] is the next thread's first cell.
__global__ void after(int *out) {
  int t = threadIdx.x;
  int k;
  for (k = 0; k < 4; k++) out[4 * t + k] = t;
  out[4 * t + k] = t;
}
