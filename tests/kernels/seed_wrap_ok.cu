// expect: race-free=proved
// spmd: block=64 grid=1 require seed > 0, seed <= 60000000
// 64 * 60000000 stays below 2^32, so the product is never smaller.
__global__ void wrapped(int *out, unsigned seed) {
  unsigned t = threadIdx.x;
  unsigned h = (t + 1u) * seed;
  if (h < t) out[0] = t;
}
