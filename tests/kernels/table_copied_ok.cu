// expect: verdict=proved
// A structure with pointers is copied before they are followed.
struct S { float *means; int *counts; int n; };
__global__ void k(S *c) {
  S s = c[blockIdx.x];
  s.means[threadIdx.x] = s.n;
}
