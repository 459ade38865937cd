// expect: race-free=refuted
// spmd: block=8 grid=1
// The other arm is unsigned, so -1 is the largest number of all.
__global__ void arms(int *out) {
  if ((threadIdx.x < 4 ? -1 : 0u) > 100) out[0] = threadIdx.x;
}
