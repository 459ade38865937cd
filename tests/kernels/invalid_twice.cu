// expect: verdict=invalid message=:6:7: redefinition of 'v'
// spmd: block=32 grid=1
// Two declarations in one scope.
__global__ void fill(int *out) {
  int v = 3;
  int v = 4;
  out[threadIdx.x] = v;
}
