// expect: race-free=proved barriers=proved
#include <cooperative_groups.h>
// All blocks write, wait for each other, and read what another one wrote.
__global__ void turn(int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) from[i] = i;
  cooperative_groups::this_grid().sync();
  if (i < n) to[i] = from[n - 1 - i];
}
