// expect: race-free=proved bounds=proved
// spmd: block=64 grid=1
// The macro has no parentheses: LOW(t) + 32 is t & 63.
#define LOW(x) x & 31
__global__ void low_bits(const int *in) {
  __shared__ int s[64];
  s[LOW(threadIdx.x) + 32] = in[threadIdx.x];
}
