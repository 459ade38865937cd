// expect: race-free=refuted
// Two of them are one array.
__global__ void k(float *a, float *b) {
  float *p[3] = {a, b, a + 1};
  for (int i = 0; i < 3; i++) p[i][threadIdx.x] = threadIdx.x;
}
