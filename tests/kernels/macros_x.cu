// expect: race-free=refuted
// spmd: block=64 grid=1
// With parentheses it is (t & 31) + 32, twice the same.
#define LOW(x) ((x) & 31)
__global__ void low_bits(const int *in) {
  __shared__ int s[64];
  s[LOW(threadIdx.x) + 32] = in[threadIdx.x];
}
