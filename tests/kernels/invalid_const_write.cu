// expect: verdict=invalid message=:5:19: read-only variable
// spmd: block=32 grid=1
// A write to a const array.
__global__ void fill(const int *in, int *out) {
  in[threadIdx.x] = 1;
}
