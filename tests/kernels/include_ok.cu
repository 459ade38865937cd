// expect: race-free=proved bounds=proved order-free=proved
// spmd: block=10,6 grid=1
// The shape of the board comes from a header.
#include "board.h"
__global__ void board(const int *in, int *out) {
  __shared__ int s[ROWS * COLS];
  int x = threadIdx.x, y = threadIdx.y;
  s[AT(y, x)] = in[AT(y, x)];
  __syncthreads();
  out[AT(y, x)] = s[AT(ROWS - 1 - y, COLS - 1 - x)];
}
