// expect: race-free=refuted barriers=proved
#include <cooperative_groups.h>
// One barrier a sweep is not enough for two copies.
__global__ void smooth(float *a, float *b, int n, int sweeps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < sweeps; k++) {
    if (i > 0 && i < n - 1) b[i] = (a[i - 1] + a[i + 1]) / 2;
    cooperative_groups::this_grid().sync();
    if (i > 0 && i < n - 1) a[i] = (b[i - 1] + b[i + 1]) / 2;
  }
}
