// expect: no-wrap=refuted
// A parameter may be called anything.
__global__ void spread(int *out, int background) {
  if (background > 0) out[background * 1000000 + (int)threadIdx.x] = 1;
}
