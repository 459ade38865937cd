// expect: verdict=proved race-free=proved barriers=proved
// spmd: block=32 grid=1
// v - t wraps as before, and none of these threads gets the number that is asked for.
__global__ void passed_by(unsigned *out, int n) {
  unsigned t = threadIdx.x;
  int v = -8;
  if (t == 99) {
    for (int i = 0; i < n; i++) v -= 3;
  }
  unsigned r = v - t;
  out[r == 4294967200u ? 0 : t] = t;
}
