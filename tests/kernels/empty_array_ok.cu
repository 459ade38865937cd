// expect: bounds=proved race-free=proved
// spmd: block=64 grid=1 require n <= 64, n > 0
// With n > 0 the subtraction does not wrap.
__global__ void shift_up(const int *in, unsigned n) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  if (t < n - 1u) s[t + 1] = in[t];
}
