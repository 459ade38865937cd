// expect: verdict=invalid message=1024 threads
// spmd: block=64,32 grid=1
// A block of 2048 threads cannot be launched.
__global__ void fill(int *out) {
  out[64 * threadIdx.y + threadIdx.x] = 1;
}
