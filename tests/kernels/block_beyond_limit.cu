// expect: verdict=proved race-free=proved
// spmd: block=64,32 grid=1
// No device starts a block of 2048 threads: a warning, and the answer for a device that would.
__global__ void fill(int *out) {
  out[64 * threadIdx.y + threadIdx.x] = 1;
}
