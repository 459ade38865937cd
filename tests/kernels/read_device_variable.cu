// expect: verdict=refuted race-free=refuted
// spmd: block=32 grid=1
// A variable of the device that outlives the launch.
__device__ int total;
__global__ void last(void) {
  total = threadIdx.x;
}
