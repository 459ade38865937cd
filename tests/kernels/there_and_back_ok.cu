// expect: bounds=proved race-free=proved
// spmd: block=64 grid=1
// The index wraps below zero and back again.
__global__ void there_and_back(const int *in) {
  __shared__ int s[64];
  unsigned i = threadIdx.x - 5u;
  s[i + 5u] = in[threadIdx.x];
}
