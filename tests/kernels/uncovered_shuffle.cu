// expect: verdict=unknown message=cover .*exchange among lanes .shfl_down.
// A shuffle orders no memory and is not read.
__global__ void down(const int *in, int *out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, in[threadIdx.x], 1);
}
