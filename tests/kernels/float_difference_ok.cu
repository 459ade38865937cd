// expect: race-free=proved
// spmd: block=64 grid=1
// An integer minus itself is zero.
__global__ void difference(const int *in, int *out) {
  out[0] = in[threadIdx.x] - in[threadIdx.x];
}
