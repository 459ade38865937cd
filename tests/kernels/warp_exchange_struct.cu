// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64 require n >= 0, n <= 40, gridDim.y == 1, gridDim.z == 1
// The maximum and the sum of a row, merged among the lanes of a tile as one structure: every field moves.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct Pair { float most, sum; };
struct Tagged { Pair pair; short lane; bool set; };
__device__ Pair merged(Pair a, Pair b) {
  bool first = a.most > b.most;
  Pair large = first ? a : b, small = first ? b : a;
  large.sum += small.sum * expf(small.most - large.most);
  return large;
}
__global__ void rows(const float *x, float *out, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * 2 + warp.meta_group_rank();
  Pair part = {-3.0e38f, 0.0f};
  for (int i = warp.thread_rank(); i < n; i += 32) part = merged(part, {x[row * n + i], 1.0f});
  Pair all = cg::reduce(warp, part, merged);
  Tagged next = warp.shfl_down(Tagged{all, (short)warp.thread_rank(), true}, 1);
  if (warp.thread_rank() == 0) out[row] = all.most + logf(all.sum) + next.lane + next.pair.sum + next.set;
}
