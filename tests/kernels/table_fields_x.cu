// expect: race-free=refuted
// One field read a cell on.
struct S { float *means; int *counts; int n; };
__global__ void k(S *c, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) c->means[j] += c->means[j + 1];
}
