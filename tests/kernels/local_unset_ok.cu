// expect: order-free=proved race-free=proved
// spmd: block=32 grid=1
// v is stored only where it was set.
__global__ void local_unset(const int *in, int *out) {
  int v;
  if (in[threadIdx.x] > 0) v = 1;
  if (in[threadIdx.x] > 3) out[threadIdx.x] = v;
}
