// expect: order-free=refuted
// spmd: block=32 grid=1 require n >= 1 && n <= 31
// The first lanes have a value, and get one of lanes that have none.
__global__ void k(float *out, const float *in, int n) {
  float held[1];
  for (int i = 0; i < n - (int)threadIdx.x && i < 1; i++) held[i] = in[threadIdx.x];
  float other = __shfl_xor_sync(0xffffffff, held[0], 31);
  if (threadIdx.x < n) out[threadIdx.x] = other;
}
