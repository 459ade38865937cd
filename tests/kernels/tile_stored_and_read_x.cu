// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=1
// Which lane stores a cell of a tile nobody knows: without a barrier of the warp a lane may read what another has not stored yet.
#include <mma.h>
using namespace nvcuda;
__global__ void stored(float *c, float *out) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
  out[threadIdx.x] = c[threadIdx.x];
}
