// expect: race-free=refuted
// spmd: block=64 grid=1
// The factor shifts all but the lowest bit out.
__global__ void even_hash(const int *in, int *out) {
  unsigned h = threadIdx.x * 0x80000000u;
  out[h >> 26] = in[threadIdx.x];
}
