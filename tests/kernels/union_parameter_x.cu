// expect: race-free=refuted
// Two views of one parameter: where its bits say so, all threads write one cell.
union Bits { float f; unsigned u; };
__global__ void k(Bits b, unsigned *out) {
  out[b.u & 1] = threadIdx.x;
}
