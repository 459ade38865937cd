// expect: verdict=proved race-free=proved barriers=proved
// spmd: block=32 grid=1
// A shuffle orders no memory and is not read.
__global__ void down(const int *in, int *out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, in[threadIdx.x], 1);
}
