// expect: verdict=refuted race-free=refuted barriers=proved
// spmd: block=32 grid=1
// No thread comes to the loop, and v - t wraps in all of them: thread 3 writes where thread 0 does.
__global__ void passed_by(unsigned *out, int n) {
  unsigned t = threadIdx.x;
  int v = -8;
  if (t == 99) {
    for (int i = 0; i < n; i++) v -= 3;
  }
  unsigned r = v - t;
  out[r == 4294967285u ? 0 : t] = t;
}
