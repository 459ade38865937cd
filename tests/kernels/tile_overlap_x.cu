// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1 require n == 32
// Tiles of neighbouring warps overlap by half.
#include <mma.h>
using namespace nvcuda;
__global__ void product(float *c, const half *a, const half *b, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  int row = blockIdx.x * 16, col = (blockIdx.y * 4 + threadIdx.x / 32) * 8;
  if (row >= n || col >= n) return;
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, a + row * n + k, n);
    wmma::load_matrix_sync(fb, b + col * n + k, n);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] *= 2.0f;
  wmma::store_matrix_sync(c + row * n + col, sum, n, wmma::mem_row_major);
}
