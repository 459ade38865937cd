// expect: verdict=invalid message=no member named 'w'
// spmd: block=32 grid=1
// There is no fourth axis.
__global__ void fill(int *out) {
  out[threadIdx.w] = 1;
}
