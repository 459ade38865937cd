// expect: verdict=unsupported message=\d: .*assembly
// spmd: block=32 grid=1
// Inline assembly.
__global__ void raw(int *out) {
  asm volatile("bar.sync 0;");
  out[threadIdx.x] = 1;
}
