// expect: race-free=proved
// spmd: block=64 grid=1
// An odd factor is a bijection modulo 2^32, and of the low six bits too.
__global__ void odd_hash(const int *in, int *out) {
  unsigned h = threadIdx.x * 2654435761u;
  out[h & 63u] = in[threadIdx.x];
}
