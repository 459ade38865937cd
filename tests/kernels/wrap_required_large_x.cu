// expect: race-free=refuted
// spmd: block=64 grid=1 require n >= 5000
// That an index wraps has nothing to do with how large n is required to be.
__global__ void wrapped(int *out, unsigned n) {
  unsigned j = (threadIdx.x + n * 64u) * 1073741824u;
  out[j / 1073741824u] = threadIdx.x;
}
