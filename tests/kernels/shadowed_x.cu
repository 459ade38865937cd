// expect: race-free=refuted
// spmd: block=32 grid=1
// The inner i is another variable; the outer one stays 0.
__global__ void shadowed(int *out) {
  int t = threadIdx.x;
  int i = 0;
  if (t > 0) {
    int i = t;
    i += 1;
  }
  out[i] = t;
}
