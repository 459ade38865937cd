// expect: race-free=proved barriers=proved
// spmd: block=32 grid=1
// Fields of a structure that moves among lanes: each is the other lane's, and keeps its type.
#include <cooperative_groups.h>
struct Inner { int number; unsigned long long wide; };
struct Outer { Inner inner; short lane; unsigned char byte; };
__global__ void k(int *out) {
  auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  int lane = tile.thread_rank();
  Outer mine = {{lane * 3, 1ull << lane}, (short)-lane, (unsigned char)(lane + 250)};
  Outer other = tile.shfl_xor(mine, 5);
  int from = lane ^ 5;
  assert(other.inner.number == from * 3 && other.lane == -from);
  assert(other.inner.wide == 1ull << from && other.byte == (unsigned char)(from + 250));
  out[lane] = tile.shfl(mine, 3).inner.number;
}
