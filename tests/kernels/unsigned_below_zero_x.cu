// expect: race-free=refuted
// spmd: block=64 grid=(n+63)/64 require n >= 100000
// i - n is below zero for the whole array, so unsigned it passes for every thread.
__global__ void below(int *out, unsigned n) {
  unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i < n && i - n > 5u) out[0] = i;
}
