// expect: race-free=proved
// spmd: block=1024 grid=4194304
// The largest launch whose product does not wrap.
__global__ void widened(int *out) {
  long long i = blockIdx.x * blockDim.x;
  out[i + threadIdx.x] = blockIdx.x;
}
