// expect: race-free=refuted
// spmd: block=4 grid=1
// Threads 0 and 1 store the same value, threads 0 and 2 do not.
__global__ void equal_then_not(int *out) {
  out[0] = threadIdx.x / 2;
}
