// expect: race-free=refuted
// spmd: block=2 grid=1 require n >= 4294967296, n <= 5000000000
// At n = 2^32 the cast leaves 0 for both threads.
__global__ void cut(int *out, long long n) {
  unsigned i = (unsigned)(n * threadIdx.x);
  out[i] = threadIdx.x;
}
