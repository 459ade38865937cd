// expect: order-free=refuted
// spmd: block=64 grid=1
// In the first round the sum takes up a local that nobody has given a value yet.
__global__ void sum(int *out, int n) {
  int z, y = 0;
  for (int i = 0; i < n; i++) {
    y = y * 3 + z;
    z = i;
  }
  out[threadIdx.x] = y;
}
