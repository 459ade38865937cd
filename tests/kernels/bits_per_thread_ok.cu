// expect: verdict=proved
// Flags of an element of its own for each thread, for all sizes.
struct F { unsigned x : 1, y : 1; bool z : 1; };
__global__ void k(F *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    f[i].x = 1;
    f[i].y ^= 1;
    f[i].z = f[i].x;
  }
}
