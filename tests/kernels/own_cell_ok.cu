// expect: race-free=proved
// spmd: block=32 grid=1
// A thread reads back what it has just written.
__global__ void own_cell(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  s[t] += 1;
  if (s[t] != t + 1) out[0] = t;
}
