// expect: verdict=invalid message=:9:27: .*undeclared identifier 'v'
// spmd: block=32 grid=1
// The name has gone with its block.
__global__ void fill(int *out) {
  if (threadIdx.x < 8) {
    int v = 3;
    out[threadIdx.x] = v;
  }
  out[threadIdx.x + 32] = v;
}
