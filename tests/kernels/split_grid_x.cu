// expect: barriers=refuted
// spmd: block=32
#include <cooperative_groups.h>
// Block 0 has met alone before, and waits alone for the grid.
__global__ void part(int n) {
  if (blockIdx.x == 0) __syncthreads();
  for (int i = 0; i < n; i++) {
    if (blockIdx.x == 0) cooperative_groups::this_grid().sync();
  }
}
