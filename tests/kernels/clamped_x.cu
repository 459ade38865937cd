// expect: race-free=refuted
// spmd: block=64 grid=1 require n > 0, n < 64
// Everyone past the end is sent to the last cell.
__global__ void clamped(const int *in, int *out, int n) {
  int t = threadIdx.x;
  out[min(t, n - 1)] = in[t];
}
