// expect: verdict=refuted race-free=refuted
// spmd: block=32 grid=1 out[32]
// The default argument is evaluated in each call: all threads write last.
__device__ int last;
__device__ int stamped(int x = (last = 7 + threadIdx.x, 5)) { return x; }
__global__ void k(int* out) { out[threadIdx.x] = stamped(); }
