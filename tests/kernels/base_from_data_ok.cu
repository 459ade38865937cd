// expect: race-free=proved
// spmd: block=64 grid=1
// All threads read one base and keep their distance from it.
__global__ void from_base(const int *base, int *out) {
  out[base[0] + threadIdx.x] = threadIdx.x;
}
