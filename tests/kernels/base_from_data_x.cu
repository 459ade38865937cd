// expect: race-free=refuted
// spmd: block=64 grid=2
// The bases of two blocks may be less than a block apart.
__global__ void from_base(const int *base, int *out) {
  out[base[blockIdx.x] + threadIdx.x] = threadIdx.x;
}
