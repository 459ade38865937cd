// expect: race-free=refuted
// An unsigned count goes below zero and round: the test that should end the loop never fails in time.
__global__ void walk(int *out, unsigned n) {
  unsigned left = threadIdx.x;
  for (int round = 0; round < 4; round++) left -= 2;
  if (left >= n) out[0] = threadIdx.x;
}
