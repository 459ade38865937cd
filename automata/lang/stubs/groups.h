// Cooperative groups as plain classes over the builtins (CUDA C++ Programming Guide, 8). A warp is 32 threads of successive
// ranks in their block. What is declared without a body is refused by name.

#define __spmd_no __device__ __host__
__spmd_no void __spmd_missing_tile_of_more_than_32_threads();
__spmd_in unsigned __spmd_laneid() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
namespace cooperative_groups {
__spmd_in unsigned __lane() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
// The lanes of a tile of a power of two of them that holds this one.
__spmd_in unsigned __lanes_of(unsigned width) { return width >= 32 ? 0xffffffffu : ((1u << (width & 31)) - 1u) << (__lane() / width * width); }

struct thread_block {
  struct arrival_token {};
  __spmd_in void sync() const { __syncthreads(); }
  arrival_token barrier_arrive() const;
  void barrier_wait(arrival_token&&) const;
  __spmd_in static unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  __spmd_in static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  __spmd_in static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  __spmd_in static dim3 group_index() { return dim3(blockIdx); }
  __spmd_in static dim3 thread_index() { return dim3(threadIdx); }
  __spmd_in static dim3 group_dim() { return blockDim; }
  __spmd_in static dim3 dim_threads() { return blockDim; }
};
template<unsigned N = 1024> struct block_tile_memory {};
__spmd_in thread_block this_thread_block() { return thread_block{}; }
template<unsigned N> __spmd_no thread_block this_thread_block(block_tile_memory<N>& memory);

struct grid_group {
  struct arrival_token {};
  __spmd_in void sync() const { __spmd_grid_sync(); }
  arrival_token barrier_arrive() const;
  void barrier_wait(arrival_token&&) const;
  __spmd_in bool is_valid() const { return true; }
  __spmd_in static unsigned long long size() { return (unsigned long long)thread_block::size() * num_blocks(); }
  __spmd_in static unsigned long long num_threads() { return size(); }
  __spmd_in static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __spmd_in static unsigned long long block_rank() { return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
  __spmd_in static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  __spmd_in static dim3 group_dim() { return gridDim; }
  __spmd_in static dim3 dim_blocks() { return gridDim; }
  __spmd_in static dim3 block_index() { return dim3(blockIdx); }
  static unsigned long long num_clusters();
  static unsigned long long cluster_rank();
  static dim3 dim_clusters();
  static dim3 cluster_index();
};
__spmd_in grid_group this_grid() { return grid_group{}; }

struct cluster_group {
  struct arrival_token {};
  static void sync();
  static arrival_token barrier_arrive();
  static void barrier_wait();
  static void barrier_wait(arrival_token&&);
  static unsigned thread_rank();
  static unsigned block_rank();
  static unsigned num_threads();
  static unsigned num_blocks();
  static unsigned size();
  static dim3 dim_threads();
  static dim3 dim_blocks();
  static dim3 block_index();
  static dim3 thread_index();
  template<class T> static unsigned query_shared_rank(const T* at);
  template<class T> static T* map_shared_rank(T* at, int rank);
};
__spmd_no cluster_group this_cluster();
struct multi_grid_group { void sync() const; bool is_valid() const; unsigned long long size() const; unsigned long long thread_rank() const;
  unsigned grid_rank() const; unsigned num_grids() const; };
__spmd_no multi_grid_group this_multi_grid();

// Of a structure every field moves.
template<class T> T __spmd_exchange__shfl_sync(unsigned m, T v, int lane, int w);
template<class T> T __spmd_exchange__shfl_down_sync(unsigned m, T v, unsigned d, int w);
template<class T> T __spmd_exchange__shfl_up_sync(unsigned m, T v, unsigned d, int w);
template<class T> T __spmd_exchange__shfl_xor_sync(unsigned m, T v, int x, int w);
// The lanes among some that bring the same integer.
template<class T> __spmd_in unsigned __matching(unsigned lanes, T v) {
  if constexpr (sizeof(T) > 4) return __match_any_sync(lanes, (unsigned long long)v);
  else return __match_any_sync(lanes, (unsigned)v);
}

// 1, 2, 4, …, 32 threads of successive ranks in a block or a larger tile; how many such tiles the parent has, and which it is.
template<unsigned N, class Parent = thread_block> struct thread_block_tile {
  static_assert(N > 0 && (N & (N - 1)) == 0 && N <= 1024, "the size of a tile is a power of two");
  unsigned __rank_in_parent, __of_them;
  __spmd_in thread_block_tile(unsigned rank, unsigned count) : __rank_in_parent(rank), __of_them(count) {}
  template<class Q> __spmd_in thread_block_tile(const thread_block_tile<N, Q>& t) : __rank_in_parent(t.__rank_in_parent), __of_them(t.__of_them) {}
  __spmd_in static unsigned thread_rank() { return thread_block::thread_rank() % N; }
  __spmd_in static constexpr unsigned size() { return N; }
  __spmd_in static constexpr unsigned num_threads() { return N; }
  __spmd_in unsigned meta_group_rank() const { return __rank_in_parent; }
  __spmd_in unsigned meta_group_size() const { return __of_them; }
  __spmd_in static unsigned __mask() { return __lanes_of(N); }
  __spmd_in static unsigned __first() { return __lane() / N * N; }
  __spmd_in void sync() const { if constexpr (N > 1) __spmd_tile_sync(__mask()); }
  template<class T> __spmd_in T shfl(T v, int lane) const { unsigned m = __mask(); return __spmd_exchange__shfl_sync(m, v, lane, N); }
  template<class T> __spmd_in T shfl_down(T v, unsigned d) const { unsigned m = __mask(); return __spmd_exchange__shfl_down_sync(m, v, d, N); }
  template<class T> __spmd_in T shfl_up(T v, unsigned d) const { unsigned m = __mask(); return __spmd_exchange__shfl_up_sync(m, v, d, N); }
  template<class T> __spmd_in T shfl_xor(T v, unsigned x) const { unsigned m = __mask(); return __spmd_exchange__shfl_xor_sync(m, v, x, N); }
  __spmd_in int any(int p) const { return __any_sync(__mask(), p); }
  __spmd_in int all(int p) const { return __all_sync(__mask(), p); }
  __spmd_in unsigned ballot(int p) const { return __ballot_sync(__mask(), p) >> __first(); }
  template<class T> __spmd_in unsigned match_any(T v) const { return __matching(__mask(), v) >> __first(); }
  template<class T> __spmd_in unsigned match_all(T v, int& same) const {
    unsigned all = __ballot_sync(__mask(), 1);
    same = __matching(__mask(), v) == all;
    return same ? all >> __first() : 0u;
  }
protected:
  __spmd_in thread_block_tile() : __rank_in_parent(0), __of_them(1) {}
};
__spmd_in thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }
template<unsigned N> __spmd_in thread_block_tile<N, thread_block> tiled_partition(const thread_block& group) {
  if constexpr (N > 32) __spmd_missing_tile_of_more_than_32_threads();
  return thread_block_tile<N, thread_block>(thread_block::thread_rank() / N, (thread_block::size() + N - 1) / N);
}
template<unsigned N, unsigned M, class P> __spmd_in thread_block_tile<N, thread_block_tile<M, P>> tiled_partition(const thread_block_tile<M, P>& group) {
  static_assert(N <= M, "a tile is larger than what it is a part of");
  return thread_block_tile<N, thread_block_tile<M, P>>(thread_block::thread_rank() % M / N, M / N);
}

// Threads of one warp, whichever; ranks count them by their lanes.
struct coalesced_group {
  unsigned __lanes, __rank_in_parent, __of_them;
  __spmd_in coalesced_group(unsigned lanes, unsigned rank = 0, unsigned count = 1) : __lanes(lanes), __rank_in_parent(rank), __of_them(count) {}
  __spmd_in void sync() const { __syncwarp(__lanes); }
  __spmd_in unsigned size() const { return (unsigned)__popc(__lanes); }
  __spmd_in unsigned num_threads() const { return (unsigned)__popc(__lanes); }
  __spmd_in unsigned thread_rank() const { return (unsigned)__popc(__lanes & ((1u << __lane()) - 1u)); }
  __spmd_in unsigned meta_group_rank() const { return __rank_in_parent; }
  __spmd_in unsigned meta_group_size() const { return __of_them; }
  __spmd_in int any(int p) const { return __any_sync(__lanes, p); }
  __spmd_in int all(int p) const { return __all_sync(__lanes, p); }
  __spmd_in unsigned ballot(int p) const { return __spmd_packed(__lanes, __ballot_sync(__lanes, p)); }
  template<class T> __spmd_in unsigned match_any(T v) const { return __spmd_packed(__lanes, __matching(__lanes, v)); }
  template<class T> __spmd_in unsigned match_all(T v, int& same) const {
    same = __matching(__lanes, v) == __lanes;
    return same ? __spmd_packed(__lanes, __lanes) : 0u;
  }
  template<class T> __spmd_in T shfl(T v, int rank) const {
    unsigned m = __lanes, from = __fns(__lanes, 0, rank + 1);
    return __spmd_exchange__shfl_sync(m, v, from, 32);
  }
  template<class T> __spmd_in T shfl_down(T v, unsigned d) const { return __moved(v, __fns(__lanes, __lane(), (int)d + 1)); }
  template<class T> __spmd_in T shfl_up(T v, unsigned d) const { return __moved(v, __fns(__lanes, __lane(), -((int)d + 1))); }
  // From a lane; where there is none, the own value.
  template<class T> __spmd_in T __moved(T v, unsigned from) const {
    unsigned m = __lanes, lane = from < 32u ? from : __lane();
    return __spmd_exchange__shfl_sync(m, v, lane, 32);
  }
};
__spmd_in coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
// The lanes that have ranks from one on.
__spmd_in unsigned __ranked(unsigned lanes, unsigned rank) {
  unsigned first = __fns(lanes, 0, (int)rank + 1);
  return first < 32u ? lanes & (0xffffffffu << first) : 0u;
}
__spmd_in coalesced_group tiled_partition(const coalesced_group& group, unsigned width) {
  unsigned first = group.thread_rank() / width * width;
  return coalesced_group(__ranked(group.__lanes, first) & ~__ranked(group.__lanes, first + width), group.thread_rank() / width,
                         (group.size() + width - 1) / width);
}
template<unsigned N> __spmd_no coalesced_group tiled_partition(const coalesced_group& group);

// Lanes with one label are a group; the groups count by their first lanes, those of a predicate by its value.
__spmd_in coalesced_group __parted(unsigned lanes, bool yes) {
  unsigned votes = __ballot_sync(lanes, yes), here = __ballot_sync(lanes, 1), both = votes != 0 && votes != here;
  return coalesced_group(yes ? votes : here & ~votes, both && yes ? 1u : 0u, 1u + both);
}
template<class T> __spmd_in coalesced_group __labelled(unsigned lanes, T label) {
  if constexpr (__is_same(T, bool)) return __parted(lanes, label);
  unsigned same = __matching(lanes, label);
  unsigned first = __ballot_sync(lanes, (same & ((1u << __lane()) - 1u)) == 0u);
  return coalesced_group(same, (unsigned)__popc(first & ((same & (0u - same)) - 1u)), (unsigned)__popc(first));
}
template<class T> __spmd_in coalesced_group labeled_partition(const coalesced_group& group, T label) { return __labelled(group.__lanes, label); }
template<unsigned N, class P, class T> __spmd_in coalesced_group labeled_partition(const thread_block_tile<N, P>& tile, T label) {
  return __labelled(tile.__mask(), label);
}
__spmd_in coalesced_group binary_partition(const coalesced_group& group, bool yes) { return __parted(group.__lanes, yes); }
template<unsigned N, class P> __spmd_in coalesced_group binary_partition(const thread_block_tile<N, P>& tile, bool yes) {
  return __parted(tile.__mask(), yes);
}

// A group of any kind: 0 the block, 1 a tile of it, 2 some lanes of a warp, 3 the grid, 4 a tile whose width is no constant: the
// last one of a block has the threads that are left.
struct thread_group {
  unsigned __kind, __width, __lanes;
  __spmd_in thread_group(const thread_block& group) : __kind(0), __width(0), __lanes(0) {}
  __spmd_in thread_group(const grid_group& group) : __kind(3), __width(0), __lanes(0) {}
  __spmd_in thread_group(const coalesced_group& group) : __kind(2), __width(0), __lanes(group.__lanes) {}
  template<unsigned N, class P> __spmd_in thread_group(const thread_block_tile<N, P>& tile) : __kind(1), __width(N), __lanes(0) {}
  __spmd_in thread_group(unsigned kind, unsigned width) : __kind(kind), __width(width), __lanes(0) {}
  __spmd_in void sync() const {
    if (__kind == 0) __syncthreads();
    else if (__kind == 3) __spmd_grid_sync();
    else if (__kind == 2) __syncwarp(__lanes);
    else if (__width > 1) __spmd_tile_sync(__lanes_of(__width));
  }
  __spmd_in unsigned long long size() const {
    if (__kind == 4) {
      unsigned rest = thread_block::size() - thread_block::thread_rank() / __width * __width;
      return rest < __width ? rest : __width;
    }
    return __kind == 0 ? thread_block::size() : __kind == 3 ? grid_group::size() : __kind == 2 ? (unsigned)__popc(__lanes) : __width;
  }
  __spmd_in unsigned long long num_threads() const { return size(); }
  __spmd_in unsigned long long thread_rank() const {
    return __kind == 0 ? thread_block::thread_rank() : __kind == 3 ? grid_group::thread_rank()
         : __kind == 2 ? (unsigned)__popc(__lanes & ((1u << __lane()) - 1u)) : thread_block::thread_rank() % __width;
  }
};
__spmd_in thread_group tiled_partition(const thread_block& group, unsigned width) { return thread_group(4u, width); }
template<unsigned M, class P> __spmd_in thread_group tiled_partition(const thread_block_tile<M, P>& group, unsigned width) { return thread_group(1u, width < M ? width : M); }
__spmd_in thread_group tiled_partition(const thread_group& group, unsigned width) {
  if (group.__kind == 2) return thread_group(tiled_partition(coalesced_group(group.__lanes), width));
  if (group.__kind == 0 || group.__kind == 3) return thread_group(4u, width);
  return thread_group(group.__kind, group.__width < width ? group.__width : width);
}
template<unsigned N> __spmd_no thread_group tiled_partition(const thread_group& group);

template<class G> __spmd_in void synchronize(const G& group) { group.sync(); }
template<class G> __spmd_in void sync(const G& group) { group.sync(); }
template<class G> __spmd_in auto thread_rank(const G& group) { return group.thread_rank(); }
template<class G> __spmd_in auto group_size(const G& group) { return group.size(); }
__spmd_in dim3 group_index(const thread_block& group) { return group.group_index(); }
__spmd_in dim3 thread_index(const thread_block& group) { return group.thread_index(); }

// Results of operations on the values of a group.
template<class T = void> struct plus { __spmd_in T operator()(T a, T b) const { return a + b; } };
template<class T = void> struct less { __spmd_in T operator()(T a, T b) const { return b < a ? b : a; } };
template<class T = void> struct greater { __spmd_in T operator()(T a, T b) const { return a < b ? b : a; } };
template<class T = void> struct bit_and { __spmd_in T operator()(T a, T b) const { return a & b; } };
template<class T = void> struct bit_or { __spmd_in T operator()(T a, T b) const { return a | b; } };
template<class T = void> struct bit_xor { __spmd_in T operator()(T a, T b) const { return a ^ b; } };
template<> struct plus<void> { template<class T> __spmd_in T operator()(T a, T b) const { return a + b; } };
template<> struct less<void> { template<class T> __spmd_in T operator()(T a, T b) const { return b < a ? b : a; } };
template<> struct greater<void> { template<class T> __spmd_in T operator()(T a, T b) const { return a < b ? b : a; } };
template<> struct bit_and<void> { template<class T> __spmd_in T operator()(T a, T b) const { return a & b; } };
template<> struct bit_or<void> { template<class T> __spmd_in T operator()(T a, T b) const { return a | b; } };
template<> struct bit_xor<void> { template<class T> __spmd_in T operator()(T a, T b) const { return a ^ b; } };

// By halves: of a tile in a butterfly. Which values an operation combines first is the implementation's choice.
template<unsigned N, class P, class T, class Op> __spmd_in T reduce(const thread_block_tile<N, P>& tile, T value, Op op) {
  if constexpr (!__is_integral(T)) __spmd_by_halves();
  for (unsigned offset = N / 2; offset > 0; offset /= 2) value = op(value, tile.shfl_xor(value, offset));
  return value;
}
template<class T, class Op> __spmd_in T reduce(const coalesced_group& group, T value, Op op) {
  if constexpr (!__is_integral(T)) __spmd_by_halves();
  T found = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); rank++) found = op(found, group.shfl(value, rank));
  return found;
}
template<unsigned N, class P, class T, class Op> __spmd_in T inclusive_scan(const thread_block_tile<N, P>& tile, T value, Op op) {
  if constexpr (!__is_integral(T)) __spmd_by_halves();
  for (unsigned offset = 1; offset < N; offset *= 2) {
    T other = tile.shfl_up(value, offset);
    if (tile.thread_rank() >= offset) value = op(other, value);
  }
  return value;
}
template<class T, class Op> __spmd_in T inclusive_scan(const coalesced_group& group, T value, Op op) {
  if constexpr (!__is_integral(T)) __spmd_by_halves();
  T found = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); rank++) {
    T other = group.shfl(value, rank);
    if (rank <= group.thread_rank()) found = op(found, other);
  }
  return found;
}
template<class G, class T> __spmd_in T inclusive_scan(const G& group, T value) { return inclusive_scan(group, value, plus<T>()); }
// The first thread gets the value T{}.
template<class G, class T, class Op> __spmd_in T exclusive_scan(const G& group, T value, Op op) {
  T sum = inclusive_scan(group, value, op);
  T before = group.shfl_up(sum, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template<class G, class T> __spmd_in T exclusive_scan(const G& group, T value) { return exclusive_scan(group, value, plus<T>()); }

template<class G, class A, class T, class Op> __spmd_no void reduce_update_async(const G& group, A& atomic, T value, Op op);
template<class G, class A, class T, class Op> __spmd_no void reduce_store_async(const G& group, A& atomic, T value, Op op);
template<class G, class A, class T, class Op> __spmd_no T inclusive_scan_update(const G& group, A& atomic, T value, Op op);
template<class G, class A, class T, class Op> __spmd_no T exclusive_scan_update(const G& group, A& atomic, T value, Op op);
template<class G, class A, class T> __spmd_no T inclusive_scan_update(const G& group, A& atomic, T value);
template<class G, class A, class T> __spmd_no T exclusive_scan_update(const G& group, A& atomic, T value);
template<class G, class T, class S> __spmd_no void memcpy_async(const G& group, T* to, const S* from, size_t bytes);
template<class G, class T, class L, class S> __spmd_no void memcpy_async(const G& group, T* to, const L& room, const S* from, const L& count);
template<class G> __spmd_no void wait(const G& group);
template<unsigned N, class G> __spmd_no void wait_prior(const G& group);
template<class G, class F, class... A> __spmd_no void invoke_one(const G& group, F&& call, A&&... args);
template<class G, class F, class... A> __spmd_no auto invoke_one_broadcast(const G& group, F&& call, A&&... args) -> decltype(call(args...));
}  // namespace cooperative_groups
