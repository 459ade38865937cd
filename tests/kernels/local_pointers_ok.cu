// expect: race-free=proved
// An array of pointers of a thread, run over by a loop.
__global__ void k(float *a, float *b, float *c, int n) {
  float *p[3] = {a, b, c};
  for (int i = 0; i < 3; i++) p[i][blockIdx.x * blockDim.x + threadIdx.x] = i;
}
