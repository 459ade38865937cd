// expect: verdict=unsupported message=\d: .*assembly
// spmd: block=32 grid=1
// Inline assembly.
__global__ void raw(int *out) {
  asm volatile("bar.arrive 1, 64;");
  out[threadIdx.x] = 1;
}
