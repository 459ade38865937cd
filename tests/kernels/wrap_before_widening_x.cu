// expect: race-free=refuted
// spmd: block=1024 grid=4194305
// The product wraps in 32 bits before it is widened: the last block meets the first.
__global__ void widened(int *out) {
  long long i = blockIdx.x * blockDim.x;
  out[i + threadIdx.x] = blockIdx.x;
}
