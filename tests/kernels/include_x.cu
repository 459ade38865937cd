// expect: race-free=refuted bounds=proved
// spmd: block=10,6 grid=1
// Halving the cell number joins two neighbours of a row.
#include "board.h"
__global__ void board(const int *in) {
  __shared__ int s[AT(COLS, ROWS)];
  int x = threadIdx.x, y = threadIdx.y;
  s[AT(x, y) / 2] = in[AT(y, x)];
}
