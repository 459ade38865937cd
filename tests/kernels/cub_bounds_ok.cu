// expect: race-free=proved
// spmd: block=4 grid=1
// CUB's binary searches: the first element that is not less, the first that is greater.
#include <cub/cub.cuh>
struct Tens { __device__ int operator[](int at) const { return 10 * at; } };
__global__ void k(int *out, int *more) {
  out[cub::LowerBound(Tens(), 4, 10 * (int)threadIdx.x)] = threadIdx.x;
  more[cub::UpperBound(Tens(), 4, 10 * (int)threadIdx.x) - 1] = threadIdx.x;
  if (cub::LowerBound(Tens(), 4, 10 * (int)threadIdx.x + 1) != cub::UpperBound(Tens(), 4, 10 * (int)threadIdx.x)) out[0] = threadIdx.x;
}
