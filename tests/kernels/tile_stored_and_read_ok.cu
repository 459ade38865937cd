// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=32 grid=1
// A barrier of the warp lies between the store of a tile and what its lanes read.
#include <mma.h>
using namespace nvcuda;
__global__ void stored(float *c, float *out) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
  __syncwarp();
  out[threadIdx.x] = c[threadIdx.x];
}
