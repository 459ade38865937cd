// expect: order-free=refuted
// spmd: block=64 grid=1
// The unset value decides whether a cell is written.
__global__ void unset_guard(int *out) {
  int v;
  if (threadIdx.x < 32) v = 1;
  if (v == 1) out[threadIdx.x] = 1;
}
