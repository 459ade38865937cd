// expect: race-free=refuted
// spmd: block=8 grid=1
// Two threads pass the guard and share a cell.
__global__ void guard_or(int *out) {
  int t = threadIdx.x;
  if (t == 0 || t == 4) out[t & 3] = t;
}
