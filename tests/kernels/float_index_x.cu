// expect: race-free=refuted
// spmd: block=2 grid=1
// Half of 0 and half of 1 are both cut to 0.
__global__ void halves(const int *in, int *out) {
  out[(int)(0.5f * threadIdx.x)] = in[threadIdx.x];
}
