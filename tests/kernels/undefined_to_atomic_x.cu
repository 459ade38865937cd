// expect: order-free=refuted race-free=proved
// spmd: block=32 grid=1
// A local without a value is added.
__global__ void add(int *out, const int *in) {
  int x;
  if (in[threadIdx.x] > 0) x = 1;
  atomicAdd(out, x);
}
