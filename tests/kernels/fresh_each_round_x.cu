// expect: order-free=refuted
// spmd: block=32 grid=1
// The variable belongs to one round and starts each without a value.
__global__ void fresh(const int *in, int *out) {
  for (int k = 0; k < 2; k++) {
    int v;
    if (k == 0) v = in[threadIdx.x];
    out[2 * threadIdx.x + k] = v;
  }
}
