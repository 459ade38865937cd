// expect: race-free=proved
// spmd: block=32 grid=1
// Rows of five have room for the fifth cell.
__global__ void after(int *out) {
  int t = threadIdx.x;
  int k;
  for (k = 0; k < 4; k++) out[5 * t + k] = t;
  out[5 * t + k] = t;
}
