// expect: verdict=proved
// Pointers in a structure in global memory.
struct S { float *means; int *counts; int n; };
__global__ void k(S *c, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) c->means[j] += c->counts[j];
}
