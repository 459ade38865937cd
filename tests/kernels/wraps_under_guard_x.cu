// expect: race-free=refuted
// spmd: block=64 grid=1 require n <= 100000
// The guard holds for one n, whose square is 0 in unsigned: all threads meet there.
__global__ void square(int *out, int n) {
  int t = threadIdx.x;
  if (n == 65536) { unsigned u = n; out[t * u * u] = t; }
}
