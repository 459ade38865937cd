// expect: verdict=invalid message='in', which is const
// spmd: block=32 grid=1
// A write to a const array.
__global__ void fill(const int *in, int *out) {
  in[threadIdx.x] = 1;
}
