// CUB's collectives of a block and of a warp by their documented contracts. Blocks have the size that is stated, and all threads come.
// Each puts something into the temporary storage, then they meet. What is read after that is read without another barrier, so the
// storage may be used again only behind one of the caller's. In which order floats and structures are combined is CUB's own: such a
// result equals only that of the same collective. What sorts leave is a function of all keys and values, of which nothing else is
// known. What is not declared here is refused by name. (CUB, "Block-wide primitives", "Warp-wide primitives".)

#define CUB_VERSION 200700
namespace cub {
// Room for N values, as storage is: nothing is constructed in it.
template<class T, int N, bool = __has_trivial_constructor(T)> struct __slots { typedef T type[N]; };
template<class T, int N> struct __slots<T, N, false> {
  struct type { alignas(T) unsigned char bytes[sizeof(T) * N]; __spmd_in T &operator[](int at) { return ((T *)bytes)[at]; } };
};
struct Sum { template<class T> __spmd_in T operator()(const T &a, const T &b) const { return a + b; } };
struct Max { template<class T> __spmd_in T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
struct Min { template<class T> __spmd_in T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
// Where a value would stand in a sorted sequence, as CUB's binary search finds it.
template<class I, class O, class T> __spmd_in O LowerBound(I input, O num_items, T val) {
  O found = 0;
  while (num_items > 0) {
    O half = num_items >> 1;
    if (input[found + half] < val) { found = found + (half + 1); num_items = num_items - (half + 1); } else num_items = half;
  }
  return found;
}
template<class I, class O, class T> __spmd_in O UpperBound(I input, O num_items, T val) {
  O found = 0;
  while (num_items > 0) {
    O half = num_items >> 1;
    if (val < input[found + half]) num_items = half; else { found = found + (half + 1); num_items = num_items - (half + 1); }
  }
  return found;
}
struct Difference { template<class T> __spmd_in T operator()(const T &a, const T &b) const { return a - b; } };
struct Equality { template<class T> __spmd_in bool operator()(const T &a, const T &b) const { return a == b; } };
struct Inequality { template<class T> __spmd_in bool operator()(const T &a, const T &b) const { return a != b; } };
template<class K, class V> struct KeyValuePair {
  typedef K Key; typedef V Value; K key; V value;
  __host__ __spmd_in KeyValuePair() {}
  __host__ __spmd_in KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
};
struct ArgMax { template<class K, class V> __spmd_in KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
  return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a; } };
struct ArgMin { template<class K, class V> __spmd_in KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
  return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a; } };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
                          BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
                           BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

__spmd_in int __rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__spmd_in unsigned LaneId() { return __rank() % 32; }
__spmd_in int RowMajorTid(int x, int y, int z) { return __rank(); }
// A result as CUB gives it: of floats and structures in an order of its own, which `way` tells apart.
template<class T> __spmd_in T __combined(T v, int way) {
  if constexpr (std::is_integral<T>::value) return v;
  else if constexpr (__is_class(T)) return __spmd_in_any_order_all(v, way);
  else return __spmd_in_any_order(v, way);
}
enum { __scans = 1 << 20, __totals = 1 << 21, __of_a_warp = 1 << 22 };
// The first word of a storage says that it is used: the first thread writes it when a collective begins, all read it when one ends. So
// whoever uses the storage again without a barrier is seen, whatever cells the two touch.
template<class S> __spmd_in void __begin(S *at, int rank) { if (rank == 0) at->used = 1; }
template<class S> __spmd_in void __end(S *at) { (void)at->used; }
// Storage that a collective brings itself, one for all its calls.
template<class S> __spmd_in S &__own_storage() { __shared__ S storage; return storage; }

template<class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int P = 0> struct BlockReduce {
  struct alignas(16) TempStorage { int used; typename __slots<T, X * Y * Z>::type items; };
  TempStorage *at;
  __spmd_in BlockReduce(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  __spmd_in BlockReduce() : at(&__own_storage<TempStorage>()) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  template<class Op> __spmd_in T Reduce(T v, Op op, int valid) {
    T found;
    __begin(at, __rank());
    at->items[__rank()] = v;
    __syncthreads();
    if (__rank() == 0) {
      found = at->items[0];
      for (int i = 1; i < valid; i++) found = op(found, at->items[i]);
      found = __combined<T>(found, A * 4096 + X * Y * Z);
    }
    __end(at);
    return found;
  }
  template<class Op> __spmd_in T Reduce(T v, Op op) { return Reduce(v, op, X * Y * Z); }
  template<int N, class Op> __spmd_in T Reduce(T (&v)[N], Op op) {
    T own = v[0];
    for (int i = 1; i < N; i++) own = op(own, v[i]);
    return Reduce(own, op, X * Y * Z);
  }
  __spmd_in T Sum(T v) { return Reduce(v, cub::Sum(), X * Y * Z); }
  __spmd_in T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  template<int N> __spmd_in T Sum(T (&v)[N]) { return Reduce(v, cub::Sum()); }
};

// Scans of a block (all threads meet) and of a warp's lanes, over what each thread brings: one value, or several in a row.
template<class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int P = 0> struct BlockScan {
  struct alignas(16) TempStorage { int used; typename __slots<T, X * Y * Z>::type items; typename __slots<T, 1>::type prefix; };
  TempStorage *at;
  __spmd_in BlockScan(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  __spmd_in BlockScan() : at(&__own_storage<TempStorage>()) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  template<class Op> __spmd_in void __scan(T v, Op op, int last, T &found) {
    __begin(at, __rank());
    at->items[__rank()] = v;
    __syncthreads();
    __end(at);
    if (last >= 0) {
      found = at->items[0];
      for (int i = 1; i <= last; i++) found = op(found, at->items[i]);
      found = __combined<T>(found, __scans + A * 4096 + X * Y * Z);
    }
  }
  template<class Op> __spmd_in T __all(Op op) {
    T sum = at->items[0];
    for (int i = 1; i < X * Y * Z; i++) sum = op(sum, at->items[i]);
    return __combined<T>(sum, __totals + A * 4096 + X * Y * Z);
  }
  // The first warp asks the caller for what comes before the block; the first lane's answer counts.
  template<class Op, class F> __spmd_in T __before(Op op, F &before) {
    if (__rank() < 32) {
      T first = before(__all(op));
      if (__rank() == 0) at->prefix[0] = first;
    }
    __syncthreads();
    __end(at);
    return at->prefix[0];
  }
  template<class Op> __spmd_in void InclusiveScan(T v, T &found, Op op) { __scan(v, op, __rank(), found); }
  template<class Op> __spmd_in void InclusiveScan(T v, T &found, Op op, T &all) { __scan(v, op, __rank(), found); all = __all(op); }
  template<class Op, class F> __spmd_in void InclusiveScan(T v, T &found, Op op, F &before) {
    __scan(v, op, __rank(), found);
    found = op(__before(op, before), found);
  }
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, T first, Op op) {
    T before;
    __scan(v, op, __rank() - 1, before);
    found = __rank() == 0 ? first : op(first, before);
  }
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, T first, Op op, T &all) { ExclusiveScan(v, found, first, op); all = __all(op); }
  template<class Op, class F> __spmd_in void ExclusiveScan(T v, T &found, Op op, F &before) {
    T own;
    __scan(v, op, __rank() - 1, own);
    T first = __before(op, before);
    found = __rank() == 0 ? first : op(first, own);
  }
  // The first thread's result is undefined.
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, Op op) { T own; __scan(v, op, __rank() - 1, own); found = own; }
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, Op op, T &all) { ExclusiveScan(v, found, op); all = __all(op); }
  __spmd_in void InclusiveSum(T v, T &found) { InclusiveScan(v, found, cub::Sum()); }
  __spmd_in void InclusiveSum(T v, T &found, T &all) { InclusiveScan(v, found, cub::Sum(), all); }
  template<class F> __spmd_in void InclusiveSum(T v, T &found, F &before) { InclusiveScan(v, found, cub::Sum(), before); }
  __spmd_in void ExclusiveSum(T v, T &found) { ExclusiveScan(v, found, T(0), cub::Sum()); }
  __spmd_in void ExclusiveSum(T v, T &found, T &all) { ExclusiveScan(v, found, T(0), cub::Sum(), all); }
  template<class F> __spmd_in void ExclusiveSum(T v, T &found, F &before) { ExclusiveScan(v, found, cub::Sum(), before); }

  // Several values of each thread: those before a thread's are combined first.
  template<int N, class Op> __spmd_in T __own(T (&v)[N], Op op) { T sum = v[0]; for (int i = 1; i < N; i++) sum = op(sum, v[i]); return sum; }
  template<int N, class Op> __spmd_in void __spread(T (&v)[N], T (&found)[N], Op op, bool any, T before, bool inclusive) {
    T sum = before;
    bool some = any;
    for (int i = 0; i < N; i++) {
      T own = v[i], next = some ? op(sum, own) : own;
      found[i] = __combined<T>(inclusive ? next : sum, __scans + A * 4096 + X * Y * Z + N * 65536);
      sum = next;
      some = true;
    }
  }
  template<int N, class Op> __spmd_in void InclusiveScan(T (&v)[N], T (&found)[N], Op op) {
    T before = v[0];
    __scan(__own(v, op), op, __rank() - 1, before);
    __spread(v, found, op, __rank() > 0, before, true);
  }
  template<int N, class Op> __spmd_in void InclusiveScan(T (&v)[N], T (&found)[N], Op op, T &all) { InclusiveScan(v, found, op); all = __all(op); }
  template<int N, class Op, class F> __spmd_in void InclusiveScan(T (&v)[N], T (&found)[N], Op op, F &ask) {
    T before = v[0];
    __scan(__own(v, op), op, __rank() - 1, before);
    T first = __before(op, ask);
    __spread(v, found, op, true, __rank() == 0 ? first : op(first, before), true);
  }
  template<int N, class Op> __spmd_in void ExclusiveScan(T (&v)[N], T (&found)[N], T first, Op op) {
    T before = v[0];
    __scan(__own(v, op), op, __rank() - 1, before);
    __spread(v, found, op, true, __rank() == 0 ? first : op(first, before), false);
  }
  template<int N, class Op> __spmd_in void ExclusiveScan(T (&v)[N], T (&found)[N], T first, Op op, T &all) { ExclusiveScan(v, found, first, op); all = __all(op); }
  template<int N, class Op, class F> __spmd_in void ExclusiveScan(T (&v)[N], T (&found)[N], Op op, F &ask) {
    T before = v[0];
    __scan(__own(v, op), op, __rank() - 1, before);
    T first = __before(op, ask);
    __spread(v, found, op, true, __rank() == 0 ? first : op(first, before), false);
  }
  template<int N> __spmd_in void InclusiveSum(T (&v)[N], T (&found)[N]) { InclusiveScan(v, found, cub::Sum()); }
  template<int N> __spmd_in void InclusiveSum(T (&v)[N], T (&found)[N], T &all) { InclusiveScan(v, found, cub::Sum(), all); }
  template<int N, class F> __spmd_in void InclusiveSum(T (&v)[N], T (&found)[N], F &before) { InclusiveScan(v, found, cub::Sum(), before); }
  template<int N> __spmd_in void ExclusiveSum(T (&v)[N], T (&found)[N]) { ExclusiveScan(v, found, T(0), cub::Sum()); }
  template<int N> __spmd_in void ExclusiveSum(T (&v)[N], T (&found)[N], T &all) { ExclusiveScan(v, found, T(0), cub::Sum(), all); }
  template<int N, class F> __spmd_in void ExclusiveSum(T (&v)[N], T (&found)[N], F &before) { ExclusiveScan(v, found, cub::Sum(), before); }
};

template<class T, int W = 32, int P = 0> struct WarpReduce {
  struct alignas(16) TempStorage { int used; typename __slots<T, W>::type items; };
  TempStorage *at;
  __spmd_in WarpReduce(TempStorage &storage) : at(&storage) {}
  template<class Op> __spmd_in T Reduce(T v, Op op, int valid) {
    T found;
    int lane = __rank() % W;
    __begin(at, lane);
    at->items[lane] = v;
    __syncwarp();
    __end(at);
    if (lane == 0) {
      found = at->items[0];
      for (int i = 1; i < valid; i++) found = op(found, at->items[i]);
      found = __combined<T>(found, -W);
    }
    return found;
  }
  template<class Op> __spmd_in T Reduce(T v, Op op) { return Reduce(v, op, W); }
  __spmd_in T Sum(T v) { return Reduce(v, cub::Sum(), W); }
  __spmd_in T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
};

template<class T, int W = 32, int P = 0> struct WarpScan {
  struct alignas(16) TempStorage { int used; typename __slots<T, W>::type items; };
  TempStorage *at;
  __spmd_in WarpScan(TempStorage &storage) : at(&storage) {}
  __spmd_in static int __lane() { return __rank() % W; }
  template<class Op> __spmd_in void __scan(T v, Op op, int last, T &found) {
    __begin(at, __lane());
    at->items[__lane()] = v;
    __syncwarp();
    __end(at);
    if (last >= 0) {
      found = at->items[0];
      for (int i = 1; i <= last; i++) found = op(found, at->items[i]);
      found = __combined<T>(found, __of_a_warp + __scans + W);
    }
  }
  template<class Op> __spmd_in T __all(Op op) {
    T sum = at->items[0];
    for (int i = 1; i < W; i++) sum = op(sum, at->items[i]);
    return __combined<T>(sum, __of_a_warp + __totals + W);
  }
  template<class Op> __spmd_in void InclusiveScan(T v, T &found, Op op) { __scan(v, op, __lane(), found); }
  template<class Op> __spmd_in void InclusiveScan(T v, T &found, Op op, T &all) { __scan(v, op, __lane(), found); all = __all(op); }
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, T first, Op op) {
    T before;
    __scan(v, op, __lane() - 1, before);
    found = __lane() == 0 ? first : op(first, before);
  }
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, T first, Op op, T &all) { ExclusiveScan(v, found, first, op); all = __all(op); }
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, Op op) { T own; __scan(v, op, __lane() - 1, own); found = own; }
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, Op op, T &all) { ExclusiveScan(v, found, op); all = __all(op); }
  __spmd_in void InclusiveSum(T v, T &found) { InclusiveScan(v, found, cub::Sum()); }
  __spmd_in void InclusiveSum(T v, T &found, T &all) { InclusiveScan(v, found, cub::Sum(), all); }
  __spmd_in void ExclusiveSum(T v, T &found) { ExclusiveScan(v, found, T(0), cub::Sum()); }
  __spmd_in void ExclusiveSum(T v, T &found, T &all) { ExclusiveScan(v, found, T(0), cub::Sum(), all); }
  __spmd_in T Broadcast(T v, unsigned from) {
    __begin(at, __lane());
    if ((unsigned)__lane() == from) at->items[0] = v;
    __syncwarp();
    __end(at);
    return at->items[0];
  }
};

// Values of a block in another order. Blocked: those of a thread lie next to each other; striped: those of one number do.
template<class T, int X, int N, bool TIMESLICED = false, int Y = 1, int Z = 1, int P = 0> struct BlockExchange {
  enum { __threads = X * Y * Z };
  struct alignas(16) TempStorage { int used; int warps[(__threads + 31) / 32]; typename __slots<T, __threads * N>::type items; };
  TempStorage *at;
  __spmd_in BlockExchange(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  __spmd_in BlockExchange() : at(&__own_storage<TempStorage>()) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  __spmd_in static int __blocked(int i) { return __rank() * N + i; }
  __spmd_in static int __striped(int i) { return i * __threads + __rank(); }
  __spmd_in static int __by_warps(int i) { return __rank() / 32 * 32 * N + i * 32 + __rank() % 32; }
  template<class O> __spmd_in void StripedToBlocked(const T (&v)[N], O (&found)[N]) {
    __begin(at, __rank());
    for (int i = 0; i < N; i++) at->items[__striped(i)] = v[i];
    __syncthreads();
    __end(at);
    for (int i = 0; i < N; i++) found[i] = at->items[__blocked(i)];
  }
  template<class O> __spmd_in void BlockedToStriped(const T (&v)[N], O (&found)[N]) {
    __begin(at, __rank());
    for (int i = 0; i < N; i++) at->items[__blocked(i)] = v[i];
    __syncthreads();
    __end(at);
    for (int i = 0; i < N; i++) found[i] = at->items[__striped(i)];
  }
  template<class O> __spmd_in void WarpStripedToBlocked(const T (&v)[N], O (&found)[N]) {
    if (__rank() % 32 == 0) at->warps[__rank() / 32] = 1;
    for (int i = 0; i < N; i++) at->items[__by_warps(i)] = v[i];
    __syncwarp();
    (void)at->warps[__rank() / 32];
    for (int i = 0; i < N; i++) found[i] = at->items[__blocked(i)];
  }
  template<class O> __spmd_in void BlockedToWarpStriped(const T (&v)[N], O (&found)[N]) {
    if (__rank() % 32 == 0) at->warps[__rank() / 32] = 1;
    for (int i = 0; i < N; i++) at->items[__blocked(i)] = v[i];
    __syncwarp();
    (void)at->warps[__rank() / 32];
    for (int i = 0; i < N; i++) found[i] = at->items[__by_warps(i)];
  }
  template<class O, class R> __spmd_in void ScatterToBlocked(const T (&v)[N], O (&found)[N], R (&ranks)[N]) {
    __begin(at, __rank());
    for (int i = 0; i < N; i++) at->items[ranks[i]] = v[i];
    __syncthreads();
    __end(at);
    for (int i = 0; i < N; i++) found[i] = at->items[__blocked(i)];
  }
  template<class O, class R> __spmd_in void ScatterToStriped(const T (&v)[N], O (&found)[N], R (&ranks)[N]) {
    __begin(at, __rank());
    for (int i = 0; i < N; i++) at->items[ranks[i]] = v[i];
    __syncthreads();
    __end(at);
    for (int i = 0; i < N; i++) found[i] = at->items[__striped(i)];
  }
  __spmd_in void StripedToBlocked(T (&v)[N]) { StripedToBlocked(v, v); }
  __spmd_in void BlockedToStriped(T (&v)[N]) { BlockedToStriped(v, v); }
};
template<class T, int N, int W = 32, int P = 0, int A = 0> struct WarpExchange {
  struct alignas(16) TempStorage { int used; typename __slots<T, W * N>::type items; };
  TempStorage *at;
  __spmd_in WarpExchange(TempStorage &storage) : at(&storage) {}
  __spmd_in static int __lane() { return __rank() % W; }
  template<class O> __spmd_in void StripedToBlocked(const T (&v)[N], O (&found)[N]) {
    __begin(at, __lane());
    for (int i = 0; i < N; i++) at->items[i * W + __lane()] = v[i];
    __syncwarp();
    __end(at);
    for (int i = 0; i < N; i++) found[i] = at->items[__lane() * N + i];
  }
  template<class O> __spmd_in void BlockedToStriped(const T (&v)[N], O (&found)[N]) {
    __begin(at, __lane());
    for (int i = 0; i < N; i++) at->items[__lane() * N + i] = v[i];
    __syncwarp();
    __end(at);
    for (int i = 0; i < N; i++) found[i] = at->items[i * W + __lane()];
  }
  template<class R> __spmd_in void ScatterToStriped(T (&v)[N], R (&ranks)[N]) { ScatterToStriped(v, v, ranks); }
  template<class O, class R> __spmd_in void ScatterToStriped(const T (&v)[N], O (&found)[N], R (&ranks)[N]) {
    __begin(at, __lane());
    for (int i = 0; i < N; i++) at->items[ranks[i]] = v[i];
    __syncwarp();
    __end(at);
    for (int i = 0; i < N; i++) found[i] = at->items[i * W + __lane()];
  }
};

// Loads and stores of a block. Ways named for a transposition go through the storage; the others do not touch it.
template<class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int P = 0> struct BlockLoad {
  typedef BlockExchange<T, X, N, false, Y, Z> __Exchange;
  typedef typename __Exchange::TempStorage TempStorage;
  enum { __in_stripes = A == BLOCK_LOAD_STRIPED || A == BLOCK_LOAD_TRANSPOSE || A == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
  TempStorage *at;
  __spmd_in BlockLoad(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  __spmd_in BlockLoad() : at(&__own_storage<TempStorage>()) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  __spmd_in static int __cell(int i) {
    return A == BLOCK_LOAD_WARP_TRANSPOSE ? __Exchange::__by_warps(i) : __in_stripes ? __Exchange::__striped(i) : __Exchange::__blocked(i);
  }
  __spmd_in void __turn(T (&items)[N]) {
    if constexpr (A == BLOCK_LOAD_TRANSPOSE || A == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED) __Exchange(*at).StripedToBlocked(items, items);
    if constexpr (A == BLOCK_LOAD_WARP_TRANSPOSE) __Exchange(*at).WarpStripedToBlocked(items, items);
  }
  template<class I> __spmd_in void Load(I from, T (&items)[N]) {
    for (int i = 0; i < N; i++) items[i] = from[__cell(i)];
    __turn(items);
  }
  template<class I> __spmd_in void Load(I from, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++) if (__cell(i) < valid) items[i] = from[__cell(i)];
    __turn(items);
  }
  template<class I, class D> __spmd_in void Load(I from, T (&items)[N], int valid, D other) {
    for (int i = 0; i < N; i++) {
      if (__cell(i) < valid) items[i] = from[__cell(i)];
      else items[i] = other;
    }
    __turn(items);
  }
};
template<class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int P = 0> struct BlockStore {
  typedef BlockExchange<T, X, N, false, Y, Z> __Exchange;
  typedef typename __Exchange::TempStorage TempStorage;
  enum { __in_stripes = A == BLOCK_STORE_STRIPED || A == BLOCK_STORE_TRANSPOSE || A == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
  TempStorage *at;
  __spmd_in BlockStore(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  __spmd_in BlockStore() : at(&__own_storage<TempStorage>()) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  __spmd_in static int __cell(int i) {
    return A == BLOCK_STORE_WARP_TRANSPOSE ? __Exchange::__by_warps(i) : __in_stripes ? __Exchange::__striped(i) : __Exchange::__blocked(i);
  }
  template<class I> __spmd_in void Store(I to, T (&items)[N]) { Store(to, items, X * Y * Z * N); }
  template<class I> __spmd_in void Store(I to, T (&items)[N], int valid) {
    if constexpr (A == BLOCK_STORE_TRANSPOSE || A == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED) __Exchange(*at).BlockedToStriped(items, items);
    if constexpr (A == BLOCK_STORE_WARP_TRANSPOSE) __Exchange(*at).BlockedToWarpStriped(items, items);
    for (int i = 0; i < N; i++) if (__cell(i) < valid) to[__cell(i)] = items[i];
  }
};
template<class T, int N, class I> __spmd_in void LoadDirectBlocked(int thread, I from, T (&items)[N]) { for (int i = 0; i < N; i++) items[i] = from[thread * N + i]; }
template<class T, int N, class I> __spmd_in void LoadDirectBlocked(int thread, I from, T (&items)[N], int valid) { for (int i = 0; i < N; i++) if (thread * N + i < valid) items[i] = from[thread * N + i]; }
template<int X, class T, int N, class I> __spmd_in void LoadDirectStriped(int thread, I from, T (&items)[N]) { for (int i = 0; i < N; i++) items[i] = from[thread + i * X]; }
template<int X, class T, int N, class I> __spmd_in void LoadDirectStriped(int thread, I from, T (&items)[N], int valid) { for (int i = 0; i < N; i++) if (thread + i * X < valid) items[i] = from[thread + i * X]; }
template<class T, int N, class I> __spmd_in void StoreDirectBlocked(int thread, I to, T (&items)[N]) { for (int i = 0; i < N; i++) to[thread * N + i] = items[i]; }
template<class T, int N, class I> __spmd_in void StoreDirectBlocked(int thread, I to, T (&items)[N], int valid) { for (int i = 0; i < N; i++) if (thread * N + i < valid) to[thread * N + i] = items[i]; }
template<int X, class T, int N, class I> __spmd_in void StoreDirectStriped(int thread, I to, T (&items)[N]) { for (int i = 0; i < N; i++) to[thread + i * X] = items[i]; }
template<int X, class T, int N, class I> __spmd_in void StoreDirectStriped(int thread, I to, T (&items)[N], int valid) { for (int i = 0; i < N; i++) if (thread + i * X < valid) to[thread + i * X] = items[i]; }

// A sort: what each thread gets is a function of the keys and values of all.
struct NullType {};
template<class K, int X, int N, class V = NullType, int R = 4, bool M = true, BlockScanAlgorithm A = BLOCK_SCAN_WARP_SCANS, int C = 0, int Y = 1, int Z = 1, int P = 0>
struct BlockRadixSort {
  enum { __threads = X * Y * Z, __pairs = !__is_same(V, NullType) };
  struct alignas(16) TempStorage { int used; unsigned given[__threads]; };
  TempStorage *at;
  __spmd_in BlockRadixSort(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  __spmd_in BlockRadixSort() : at(&__own_storage<TempStorage>()) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  template<class T> __spmd_in static unsigned __give(unsigned own, T (&v)[N]) { for (int i = 0; i < N; i++) own = __spmd_tile_mix(own, v[i]); return own; }
  __spmd_in unsigned __meet(unsigned own) {
    __begin(at, __rank());
    at->given[__rank()] = own;
    __syncthreads();
    __end(at);
    unsigned all = at->given[0];
    for (int i = 1; i < __threads; i++) all = __spmd_tile_mix(all, at->given[i]);
    return all;
  }
  template<class T> __spmd_in static void __take(unsigned all, T (&v)[N], int which) {
    for (int i = 0; i < N; i++) v[i] = __spmd_tile_out(all, which + __rank() * N + i, T());
  }
  __spmd_in void __sort(K (&keys)[N], unsigned how, int begin, int end) {
    __take(__meet(__give(__spmd_tile_mix(how * 64 + begin, end), keys)), keys, 0);
  }
  template<class W> __spmd_in void __sort(K (&keys)[N], W (&values)[N], unsigned how, int begin, int end) {
    unsigned all = __meet(__give(__give(__spmd_tile_mix(how * 64 + begin, end), keys), values));
    __take(all, keys, 0);
    __take(all, values, 1 << 24);
  }
  __spmd_in void Sort(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) { __sort(keys, 1, begin, end); }
  __spmd_in void SortDescending(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) { __sort(keys, 2, begin, end); }
  __spmd_in void SortBlockedToStriped(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) { __sort(keys, 3, begin, end); }
  __spmd_in void SortDescendingBlockedToStriped(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) { __sort(keys, 4, begin, end); }
  template<class W> __spmd_in void Sort(K (&keys)[N], W (&values)[N], int begin = 0, int end = sizeof(K) * 8) { __sort(keys, values, 5, begin, end); }
  template<class W> __spmd_in void SortDescending(K (&keys)[N], W (&values)[N], int begin = 0, int end = sizeof(K) * 8) { __sort(keys, values, 6, begin, end); }
  template<class W> __spmd_in void SortBlockedToStriped(K (&keys)[N], W (&values)[N], int begin = 0, int end = sizeof(K) * 8) { __sort(keys, values, 7, begin, end); }
  template<class W> __spmd_in void SortDescendingBlockedToStriped(K (&keys)[N], W (&values)[N], int begin = 0, int end = sizeof(K) * 8) { __sort(keys, values, 8, begin, end); }
};

template<class T, int X, int N, int BINS, BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int P = 0> struct BlockHistogram {
  enum { __threads = X * Y * Z };
  struct alignas(16) TempStorage { int used; typename __slots<T, __threads * N>::type items; };
  TempStorage *at;
  __spmd_in BlockHistogram(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  template<class C> __spmd_in void InitHistogram(C (&bins)[BINS]) { for (int i = __rank(); i < BINS; i += __threads) bins[i] = 0; }
  template<class C> __spmd_in void Composite(T (&items)[N], C (&bins)[BINS]) {
    if constexpr (A == BLOCK_HISTO_SORT) {
      __begin(at, __rank());
      for (int i = 0; i < N; i++) at->items[__rank() * N + i] = items[i];
      __syncthreads();
      __end(at);
    }
    for (int i = 0; i < N; i++) atomicAdd(&bins[items[i]], (C)1);
  }
  template<class C> __spmd_in void Histogram(T (&items)[N], C (&bins)[BINS]) {
    InitHistogram(bins);
    __syncthreads();
    Composite(items, bins);
  }
};

// Each value with its neighbour, that of the thread beside from the storage.
template<class T, int X, int Y = 1, int Z = 1, int P = 0> struct BlockAdjacentDifference {
  struct alignas(16) TempStorage { int used; typename __slots<T, X * Y * Z>::type items; };
  TempStorage *at;
  __spmd_in BlockAdjacentDifference(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  template<int N, class O, class Op> __spmd_in void SubtractLeft(T (&v)[N], O (&found)[N], Op op) {
    __begin(at, __rank());
    at->items[__rank()] = v[N - 1];
    __syncthreads();
    __end(at);
    for (int i = N - 1; i > 0; i--) found[i] = op(v[i], v[i - 1]);
    if (__rank() == 0) found[0] = v[0];
    else found[0] = op(v[0], at->items[__rank() - 1]);
  }
  template<int N, class O, class Op> __spmd_in void SubtractLeft(T (&v)[N], O (&found)[N], Op op, T before) {
    __begin(at, __rank());
    at->items[__rank()] = v[N - 1];
    __syncthreads();
    __end(at);
    for (int i = N - 1; i > 0; i--) found[i] = op(v[i], v[i - 1]);
    if (__rank() == 0) found[0] = op(v[0], before);
    else found[0] = op(v[0], at->items[__rank() - 1]);
  }
  template<int N, class O, class Op> __spmd_in void SubtractRight(T (&v)[N], O (&found)[N], Op op) {
    __begin(at, __rank());
    at->items[__rank()] = v[0];
    __syncthreads();
    __end(at);
    for (int i = 0; i < N - 1; i++) found[i] = op(v[i], v[i + 1]);
    if (__rank() == X * Y * Z - 1) found[N - 1] = v[N - 1];
    else found[N - 1] = op(v[N - 1], at->items[__rank() + 1]);
  }
};
template<class T, int X, int Y = 1, int Z = 1, int P = 0> struct BlockDiscontinuity {
  struct alignas(16) TempStorage { int used; typename __slots<T, X * Y * Z>::type items; };
  TempStorage *at;
  __spmd_in BlockDiscontinuity(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  template<int N, class F, class Op> __spmd_in void FlagHeads(F (&flags)[N], T (&v)[N], Op op) {
    __begin(at, __rank());
    at->items[__rank()] = v[N - 1];
    __syncthreads();
    __end(at);
    for (int i = 1; i < N; i++) flags[i] = op(v[i - 1], v[i]);
    if (__rank() == 0) flags[0] = 1;
    else flags[0] = op(at->items[__rank() - 1], v[0]);
  }
  template<int N, class F, class Op> __spmd_in void FlagTails(F (&flags)[N], T (&v)[N], Op op) {
    __begin(at, __rank());
    at->items[__rank()] = v[0];
    __syncthreads();
    __end(at);
    for (int i = 0; i < N - 1; i++) flags[i] = op(v[i], v[i + 1]);
    if (__rank() == X * Y * Z - 1) flags[N - 1] = 1;
    else flags[N - 1] = op(v[N - 1], at->items[__rank() + 1]);
  }
};
}
