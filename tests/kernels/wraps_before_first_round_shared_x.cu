// expect: order-free=refuted
// spmd: block=64 grid=1
// What is read in round 0 is written in a later one: "the round before" wraps.
__global__ void early(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (long i = 0; i < n; i++) {
    unsigned before = i - 1;
    if ((unsigned)i > 7u) out[t] = 1;
    if (before < 5u) s[t] = 1;
    if (before > 2147483648u) out[t] = s[t];
  }
}
