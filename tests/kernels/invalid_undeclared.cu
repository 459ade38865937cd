// expect: verdict=invalid message=:5:21: .*undeclared identifier 'm'
// spmd: block=32 grid=1
// A name that nobody declares.
__global__ void fill(int *out, int n) {
  if (threadIdx.x < m) out[threadIdx.x] = 1;
}
