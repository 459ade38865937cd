// expect: barriers=refuted
// spmd: block=32
#include <cooperative_groups.h>
// A barrier of the grid that the last block leaves out.
__global__ void turn(int *out, int n) {
  if (blockIdx.x < n) cooperative_groups::this_grid().sync();
  out[blockIdx.x * 32 + threadIdx.x] = n;
}
