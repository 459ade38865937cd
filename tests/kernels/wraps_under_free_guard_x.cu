// expect: race-free=refuted
// spmd: block=64 grid=1
// The same where n is bounded by nothing but the guard.
__global__ void square(int *out, int n) {
  int t = threadIdx.x;
  if (n >= 65536) { unsigned u = n; out[t * u * u] = t; }
}
