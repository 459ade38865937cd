// expect: race-free=refuted
// spmd: block=64 grid=1
// A plain read beside atomic updates.
__global__ void peek(int *count, int *out) {
  atomicAdd(count, 1);
  out[threadIdx.x] = count[0];
}
