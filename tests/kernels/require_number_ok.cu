// expect: race-free=proved barriers=proved
// spmd: block=64 grid=1 require 44 == n
// The number itself fixes it.
__global__ void pick(int *out, int n) {
  if (n == 300)
    out[0] = threadIdx.x;
  else
    out[threadIdx.x] = 1;
}
