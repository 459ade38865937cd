// CUB's collectives of a block and of a warp by their documented contracts. Blocks have the size that is stated, and all threads come.
// Each puts something into the temporary storage, then they meet. What is read after that is read without another barrier, so the
// storage may be used again only behind one of the caller's. In which order floats are combined is CUB's own: such a result equals only
// that of the same collective. What is not declared here is refused by name. (CUB, "Block-wide primitives".)

__spmd_no void __spmd_missing_collective_of_a_type_that_is_no_number();
namespace cub {
struct Sum { template<class T> __spmd_in T operator()(const T &a, const T &b) const { return a + b; } };
struct Max { template<class T> __spmd_in T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
struct Min { template<class T> __spmd_in T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// A result as CUB gives it: of floats in an order of its own, which `way` tells apart.
template<class T> __spmd_in T __combined(T v, int way) { if constexpr (__is_class(T)) __spmd_missing_collective_of_a_type_that_is_no_number(); return v; }
template<> __spmd_in float __combined<float>(float v, int way) { return __spmd_in_any_order(v, way); }
template<> __spmd_in double __combined<double>(double v, int way) { return __spmd_in_any_order(v, way); }
enum { __scans = 1 << 20, __totals = 1 << 21 };
__spmd_in int __rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

template<class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int P = 0> struct BlockReduce {
  struct TempStorage { T items[X * Y * Z]; };
  TempStorage *at;
  __spmd_in BlockReduce(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  template<class Op> __spmd_in T Reduce(T v, Op op, int valid) {
    T found;
    at->items[__rank()] = v;
    __syncthreads();
    if (__rank() == 0) {
      found = at->items[0];
      for (int i = 1; i < valid; i++) found = op(found, at->items[i]);
      found = __combined<T>(found, A * 4096 + X * Y * Z);
    }
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

template<class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int P = 0> struct BlockScan {
  struct TempStorage { T items[X * Y * Z]; };
  TempStorage *at;
  __spmd_in BlockScan(TempStorage &storage) : at(&storage) { __requires(blockDim.x == X && blockDim.y == Y && blockDim.z == Z); }
  template<class Op> __spmd_in void __scan(T v, Op op, int last, T &found) {
    at->items[__rank()] = v;
    __syncthreads();
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
  template<class Op> __spmd_in void InclusiveScan(T v, T &found, Op op) { __scan(v, op, __rank(), found); }
  template<class Op> __spmd_in void InclusiveScan(T v, T &found, Op op, T &all) { __scan(v, op, __rank(), found); all = __all(op); }
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, T first, Op op) {
    T before;
    __scan(v, op, __rank() - 1, before);
    found = __rank() == 0 ? first : op(first, before);
  }
  template<class Op> __spmd_in void ExclusiveScan(T v, T &found, T first, Op op, T &all) { ExclusiveScan(v, found, first, op); all = __all(op); }
  __spmd_in void InclusiveSum(T v, T &found) { InclusiveScan(v, found, cub::Sum()); }
  __spmd_in void InclusiveSum(T v, T &found, T &all) { InclusiveScan(v, found, cub::Sum(), all); }
  __spmd_in void ExclusiveSum(T v, T &found) { ExclusiveScan(v, found, T(0), cub::Sum()); }
  __spmd_in void ExclusiveSum(T v, T &found, T &all) { ExclusiveScan(v, found, T(0), cub::Sum(), all); }
};

template<class T, int W = 32, int P = 0> struct WarpReduce {
  struct TempStorage { T items[W]; };
  TempStorage *at;
  __spmd_in WarpReduce(TempStorage &storage) : at(&storage) {}
  template<class Op> __spmd_in T Reduce(T v, Op op, int valid) {
    T found;
    int lane = __rank() % W;
    at->items[lane] = v;
    __syncwarp();
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
}
