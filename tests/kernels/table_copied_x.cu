// expect: race-free=refuted
// All blocks copy the same structure.
struct S { float *means; int *counts; int n; };
__global__ void k(S *c) {
  S s = *c;
  s.means[threadIdx.x] = s.n + blockIdx.x;
}
