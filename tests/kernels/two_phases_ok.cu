// expect: race-free=proved barriers=proved
// spmd: block=32 grid=1
// In one block the phases are ordered, and within a phase the values agree.
__global__ void phases(int *out) {
  out[0] = 1;
  __syncthreads();
  out[0] = 2;
}
