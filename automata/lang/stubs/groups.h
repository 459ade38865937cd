// Cooperative groups as plain classes over the builtins.

namespace cooperative_groups {
struct thread_block {
  __spmd_in void sync() const { __syncthreads(); }
  __spmd_in static unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  __spmd_in static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  __spmd_in static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  __spmd_in static dim3 group_index() { return dim3(blockIdx); }
  __spmd_in static dim3 thread_index() { return dim3(threadIdx); }
  __spmd_in static dim3 group_dim() { return blockDim; }
  __spmd_in static dim3 dim_threads() { return blockDim; }
};
__spmd_in thread_block this_thread_block() { return thread_block{}; }
struct grid_group {
  __spmd_in void sync() const { __spmd_grid_sync(); }
  __spmd_in bool is_valid() const { return true; }
  __spmd_in static unsigned long long size() { return (unsigned long long)thread_block::size() * num_blocks(); }
  __spmd_in static unsigned long long num_threads() { return size(); }
  __spmd_in static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __spmd_in static unsigned long long block_rank() { return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
  __spmd_in static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  __spmd_in static dim3 group_dim() { return gridDim; }
  __spmd_in static dim3 dim_blocks() { return gridDim; }
  __spmd_in static dim3 block_index() { return dim3(blockIdx); }
};
__spmd_in grid_group this_grid() { return grid_group{}; }
// Of a structure every field moves.
template<class T> T __spmd_exchange__shfl_sync(unsigned m, T v, int lane, int w);
template<class T> T __spmd_exchange__shfl_down_sync(unsigned m, T v, unsigned d, int w);
template<class T> T __spmd_exchange__shfl_up_sync(unsigned m, T v, unsigned d, int w);
template<class T> T __spmd_exchange__shfl_xor_sync(unsigned m, T v, int x, int w);
template<unsigned N, class Parent = thread_block> struct thread_block_tile {
  __spmd_in static unsigned thread_rank() { return thread_block::thread_rank() % N; }
  __spmd_in static constexpr unsigned size() { return N; }
  __spmd_in static constexpr unsigned num_threads() { return N; }
  __spmd_in static unsigned meta_group_rank() { return thread_block::thread_rank() / N; }
  __spmd_in static unsigned meta_group_size() { return (thread_block::size() + N - 1) / N; }
  __spmd_in static unsigned mask() { return N >= 32 ? 0xffffffffu : ((1u << (N & 31)) - 1u) << (thread_block::thread_rank() % 32 / N * N); }
  __spmd_in void sync() const { __spmd_tile_sync(mask()); }
  template<class T> __spmd_in T shfl(T v, int lane) const { unsigned m = mask(); return __spmd_exchange__shfl_sync(m, v, lane, N); }
  template<class T> __spmd_in T shfl_down(T v, unsigned d) const { unsigned m = mask(); return __spmd_exchange__shfl_down_sync(m, v, d, N); }
  template<class T> __spmd_in T shfl_up(T v, unsigned d) const { unsigned m = mask(); return __spmd_exchange__shfl_up_sync(m, v, d, N); }
  template<class T> __spmd_in T shfl_xor(T v, unsigned x) const { unsigned m = mask(); return __spmd_exchange__shfl_xor_sync(m, v, x, N); }
  __spmd_in int any(int p) const { return __ballot_sync(mask(), p) != 0; }
  __spmd_in int all(int p) const { return __ballot_sync(mask(), p) == mask(); }
  __spmd_in unsigned ballot(int p) const { return __ballot_sync(mask(), p) >> (thread_block::thread_rank() % 32 / N * N); }
};
template<class P> struct thread_block_tile<1, P> {
  __spmd_in static unsigned thread_rank() { return 0; }
  __spmd_in static constexpr unsigned size() { return 1; }
  __spmd_in void sync() const {}
};
template<unsigned N, class P> __spmd_in thread_block_tile<N, P> tiled_partition(const P& group) { return thread_block_tile<N, P>{}; }
struct coalesced_group {
  unsigned lanes;
  __spmd_in void sync() const { __syncwarp(lanes); }
  __spmd_in unsigned size() const { return (unsigned)__popc(lanes); }
  __spmd_in unsigned num_threads() const { return (unsigned)__popc(lanes); }
  __spmd_in unsigned thread_rank() const { return (unsigned)__popc(lanes & ((1u << (thread_block::thread_rank() % 32)) - 1u)); }
  __spmd_in int any(int p) const { return __ballot_sync(lanes, p) != 0; }
  __spmd_in int all(int p) const { return __ballot_sync(lanes, p) == lanes; }
  template<class T> T shfl(T v, int lane) const;
  template<class T> T shfl_down(T v, unsigned d) const;
  template<class T> T shfl_up(T v, unsigned d) const;
};
__spmd_in coalesced_group coalesced_threads() { return coalesced_group{__activemask()}; }
struct thread_group {
  unsigned kind, width;
  __spmd_in thread_group(const thread_block& b) : kind(0), width(0) {}
  template<unsigned N, class P> __spmd_in thread_group(const thread_block_tile<N, P>& t) : kind(1), width(N) {}
  __spmd_in thread_group(unsigned k, unsigned w) : kind(k), width(w) {}
  __spmd_in void sync() const { if (kind == 0) __syncthreads(); else __syncwarp(0xffffffffu); }
  __spmd_in unsigned size() const { return kind == 0 ? thread_block::size() : width; }
  __spmd_in unsigned num_threads() const { return size(); }
  __spmd_in unsigned thread_rank() const { return kind == 0 ? thread_block::thread_rank() : thread_block::thread_rank() % width; }
};
__spmd_in thread_group tiled_partition(const thread_block& b, unsigned width) { return thread_group(1u, width); }
template<class G> __spmd_in void synchronize(const G& group) { group.sync(); }
template<class G> __spmd_in void sync(const G& group) { group.sync(); }
template<class G> __spmd_in unsigned thread_rank(const G& group) { return group.thread_rank(); }
template<class G> __spmd_in unsigned group_size(const G& group) { return group.size(); }
template<class T = void> struct plus { template<class A> __spmd_in A operator()(A a, A b) const { return a + b; } };
template<class T = void> struct less { template<class A> __spmd_in A operator()(A a, A b) const { return a < b ? a : b; } };
template<class T = void> struct greater { template<class A> __spmd_in A operator()(A a, A b) const { return a < b ? b : a; } };
template<class T = void> struct bit_and { template<class A> __spmd_in A operator()(A a, A b) const { return a & b; } };
template<class T = void> struct bit_or { template<class A> __spmd_in A operator()(A a, A b) const { return a | b; } };
template<class T = void> struct bit_xor { template<class A> __spmd_in A operator()(A a, A b) const { return a ^ b; } };
template<unsigned N, class P, class T, class Op> __spmd_in T reduce(const thread_block_tile<N, P>& tile, T value, Op op) {
  for (unsigned offset = N / 2; offset > 0; offset /= 2) value = op(value, tile.shfl_xor(value, offset));
  return value;
}
template<unsigned N, class P, class T, class Op> __spmd_in T inclusive_scan(const thread_block_tile<N, P>& tile, T value, Op op) {
  for (unsigned offset = 1; offset < N; offset *= 2) {
    T other = tile.shfl_up(value, offset);
    if (tile.thread_rank() >= offset) value = op(other, value);
  }
  return value;
}
template<unsigned N, class P, class T> __spmd_in T inclusive_scan(const thread_block_tile<N, P>& tile, T value) {
  return inclusive_scan(tile, value, plus<T>());
}
template<unsigned N, class P, class T> __spmd_in T exclusive_scan(const thread_block_tile<N, P>& tile, T value) {
  T sum = inclusive_scan(tile, value, plus<T>());
  T before = tile.shfl_up(sum, 1);
  return tile.thread_rank() == 0 ? T(0) : before;
}
}  // namespace cooperative_groups
