// expect: race-free=refuted
// spmd: grid=2 require n <= 1 && n >= 0
// A sum of many terms, unrolled, in the tests of a long loop: deep terms are no reason to give up. Blocks of more than 64 threads
// write each other's elements.
__global__ void best(const float *a, const float *b, float *score, int *index, int n) {
  int p = threadIdx.x + 64 * blockIdx.x, found = threadIdx.x;
  float most = 0;
  for (int q = 0; q < n; q++) {
    float sum = 0;
    for (int d = 0; d < 130; d++) sum += a[p * 130 + d] * b[q * 130 + d];
    if (sum > most) {
      most = sum;
      found = q + threadIdx.x;
    }
  }
  score[p] = most;
  index[p] = found;
}
