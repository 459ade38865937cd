// expect: race-free=proved
// spmd: block=32 grid=1
// The same name without a type is the outer variable.
__global__ void not_shadowed(int *out) {
  int t = threadIdx.x;
  int i = 0;
  if (t > 0) {
    i = t;
    i += 1;
  }
  out[i] = t;
}
