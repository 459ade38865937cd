// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=1
// A lane writes one cell, and all lanes may read it when the tile is loaded: no barrier of the warp between.
#include <mma.h>
using namespace nvcuda;
__global__ void stored(float *c, float *out) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  c[threadIdx.x] = 1;
  wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
  out[threadIdx.x] = sum.x[0];
}
