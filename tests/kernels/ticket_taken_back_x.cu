// expect: race-free=refuted
// spmd: block=64 grid=1
// Some threads give their slot back, and another one gets it again.
__global__ void push(const int *in, int *out, int *length) {
  int t = threadIdx.x;
  int at = atomicAdd(length, 1);
  out[at] = in[t] + t;
  if (t & 1) atomicSub(length, 1);
}
