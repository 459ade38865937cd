// expect: race-free=refuted
// spmd: block=64 grid=1 require seed > 0, seed <= 3000000000
// The product is smaller than the thread's number only where it wraps, and it may: seed = 2^31.
__global__ void wrapped(int *out, unsigned seed) {
  unsigned t = threadIdx.x;
  unsigned h = (t + 1u) * seed;
  if (h < t) out[0] = t;
}
