// expect: no-wrap=proved verdict=proved
// The test at the end of a round tells that there is a next one.
// spmd: block=64 grid=1 out[64] require n > 0
__global__ void count_down(float *out, int n) {
  float s = 1.0f;
  int j = 0;
  do s = s * 0.5f; while (--n > 0);
  while (true) {
    if (j + 3 >= 1000) break;
    s += j / 4;
    j += 4;
  }
  out[threadIdx.x] = s;
}
