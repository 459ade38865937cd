// expect: bounds=refuted
// spmd: block=32 grid=1 out[64]
#include <algorithm>
constexpr size_t most(std::initializer_list<size_t> list) { return std::max(list); }
struct Sizes { static constexpr size_t stride = most({2, 3, 1}); };
__global__ void k(int *out) { out[threadIdx.x * Sizes::stride] = threadIdx.x; }
