// expect: verdict=invalid message=:5:22: expected ';'
// spmd: block=32 grid=1
// A semicolon is missing.
__global__ void fill(int *out) {
  int t = threadIdx.x
  out[t] = 2;
}
