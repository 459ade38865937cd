// expect: race-free=proved bounds=proved
// spmd: block=32 grid=1 out[64]
// The greatest and the least of a list, as the compiler computes them: each element counts.
#include <algorithm>
constexpr size_t most(std::initializer_list<size_t> list) { return std::max(list); }
struct Sizes { static constexpr size_t stride = most({1, sizeof(int) / 2, 1}), first = std::min({3, 1, 5}); };
__shared__ int room[most({31, 2, 32, 7})];
__global__ void k(int *out) {
  room[threadIdx.x] = threadIdx.x;
  out[threadIdx.x * Sizes::stride + Sizes::first] = room[threadIdx.x];
}
