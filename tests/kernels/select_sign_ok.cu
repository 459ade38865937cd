// expect: race-free=proved
// spmd: block=8 grid=1
// With two signed arms -1 stays small.
__global__ void arms(int *out) {
  if ((threadIdx.x < 4 ? -1 : 0) > 100) out[0] = threadIdx.x;
}
