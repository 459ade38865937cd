// expect: barriers=refuted
// spmd: block=32 grid=1
// Half of a warp comes to an operation of the whole warp.
#include <mma.h>
using namespace nvcuda;
__global__ void half_of_it(float *out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(fa, 1.0f);
  wmma::fill_fragment(fb, 1.0f);
  wmma::fill_fragment(sum, 0.0f);
  if (threadIdx.x < 16) wmma::mma_sync(sum, fa, fb, sum);
  out[threadIdx.x] = sum.x[0];
}
