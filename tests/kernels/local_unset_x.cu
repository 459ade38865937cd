// expect: order-free=refuted race-free=proved
// spmd: block=32 grid=1
// Where in[t] is not positive, v was never set and is stored.
__global__ void local_unset(const int *in, int *out) {
  int v;
  if (in[threadIdx.x] > 0) v = 1;
  out[threadIdx.x] = v;
}
