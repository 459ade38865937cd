// expect: race-free=refuted
// One less than the number of the round, as unsigned: in round 0 that is the largest there is.
__global__ void less(int *out, int n) {
  int t = threadIdx.x;
  for (long long i = 0; i < n; i++) {
    unsigned before = i - 1, now = i;
    if (before > now) out[0] = t;
    else out[blockIdx.x * blockDim.x + t + 1] = 1;
  }
}
