// expect: race-free=proved
// spmd: block=8 grid=1
// The threads that pass differ in the low bits.
__global__ void guard_or(int *out) {
  int t = threadIdx.x;
  if ((t == 0 || t == 5) && !(t == 1)) out[t & 3] = t;
}
