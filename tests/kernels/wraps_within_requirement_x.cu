// expect: no-wrap=unknown
// spmd: block=64 grid=1 require n >= 0 && n <= 100000
// The requirement admits as many rounds as it takes to leave int: nothing may be assumed of them.
__global__ void steps(int *out, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; j++) { if (i < 0) out[0] = threadIdx.x; i += 100000; }
}
