// expect: race-free=refuted
// spmd: block=4 grid=1
// 5 and 10 are found at one place.
#include <cub/cub.cuh>
struct Tens { __device__ int operator[](int at) const { return 10 * at; } };
__global__ void k(int *out) {
  out[cub::LowerBound(Tens(), 4, 5 * (int)threadIdx.x)] = threadIdx.x;
}
