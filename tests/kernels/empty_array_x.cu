// expect: bounds=refuted race-free=proved
// spmd: block=64 grid=1 require n <= 64
// At n = 0 the unsigned n - 1 is huge and every thread passes the guard.
__global__ void shift_up(const int *in, unsigned n) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  if (t < n - 1u) s[t + 1] = in[t];
}
