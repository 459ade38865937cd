// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A call of a function of this file.
__device__ int twice(int x) { return 2 * x; }
__global__ void call(int *out) {
  out[threadIdx.x] = twice(threadIdx.x);
}
