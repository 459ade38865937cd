// Matrix fragments of a warp (CUDA C++ Programming Guide, 7.24). All lanes come to each operation. How a tile is spread over the lanes
// and over `x` is the device's own: a lane that loads may read any cell of the tile, so each reads all; a cell is stored by one lane,
// nobody knows which. No operation orders memory. Results are functions of what all lanes bring, and nothing else is known of them.

// What all lanes bring. Each asks another one besides: a warp of which a lane has ended gives nothing.
__spmd_in unsigned __spmd_tile_sum(unsigned own) {
  unsigned both = __spmd_tile_mix(own, __shfl_xor_sync(0xffffffffu, own, 31));
  return __reduce_add_sync(0xffffffffu, __spmd_tile_lane(__spmd_laneid(), both));
}
namespace nvcuda { namespace wmma {
struct matrix_a {}; struct matrix_b {}; struct accumulator {};
struct row_major {}; struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32 {}; struct __missing_type_of_few_bits; typedef __missing_type_of_few_bits u4; typedef __missing_type_of_few_bits s4; typedef __missing_type_of_few_bits b1; }
template<class T> struct __held { typedef T type; };
template<> struct __held<precision::tf32> { typedef float type; };
template<class Use, int M, int N, int K> struct __shape { enum { rows = M, columns = N, shared = false, use = 3 }; };
template<int M, int N, int K> struct __shape<matrix_a, M, N, K> { enum { rows = M, columns = K, shared = true, use = 1 }; };
template<int M, int N, int K> struct __shape<matrix_b, M, N, K> { enum { rows = K, columns = N, shared = true, use = 2 }; };
// A number for each type of fragment: two types may be spread in two ways.
template<class T> struct __number { enum { value = __is_integral(T) ? (__is_unsigned(T) ? 10 : 20) + sizeof(T) : sizeof(T) }; };
template<> struct __number<__nv_bfloat16> { enum { value = 30 }; };
template<> struct __number<precision::tf32> { enum { value = 31 }; };
template<class L> struct __order { enum { value = 0 }; };
template<> struct __order<row_major> { enum { value = 1 }; };
template<> struct __order<col_major> { enum { value = 2 }; };
// Two lanes hold each element of a matrix of 16-bit numbers, one lane each element of others.
template<class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  typedef typename __held<T>::type element_type;
  typedef element_type storage_element_type;
  enum { __rows = __shape<Use, M, N, K>::rows, __columns = __shape<Use, M, N, K>::columns,
         num_elements = __rows * __columns / 32 * (__shape<Use, M, N, K>::shared && sizeof(element_type) == 2 ? 2 : 1),
         num_storage_elements = num_elements };
  enum : unsigned { __type = ((((unsigned)__shape<Use, M, N, K>::use * 4 + (unsigned)__order<Layout>::value) * 64 + M) * 64 + N) * 64 * 32 + K * 32 + (unsigned)__number<T>::value };
  element_type x[num_elements];
};
// Element by element: no loop that could stay stands between a fragment and what is in it.
template<int I = 0, class F> __spmd_in void __take(F& f, unsigned all) {
  if constexpr (I < F::num_elements) {
    f.x[I] = __spmd_tile_out(all, __spmd_laneid() * 64 + I, typename F::element_type());
    __take<I + 1>(f, all);
  }
}
template<int I = 0, class F> __spmd_in unsigned __give(const F& f, unsigned own) {
  if constexpr (I == 0) own = __spmd_tile_mix(own, (unsigned)F::__type);
  if constexpr (I < F::num_elements) return __give<I + 1>(f, __spmd_tile_mix(own, f.x[I]));
  else return own;
}
template<int I = 0, class F, class S> __spmd_in void fill_fragment(F& f, const S& value) {
  if constexpr (I < F::num_elements) {
    f.x[I] = (typename F::element_type)value;
    fill_fragment<I + 1>(f, value);
  }
}
template<class F, class T> __spmd_in void __load(F& f, const T* p, unsigned ldm, bool by_rows) {
  unsigned all = __spmd_tile_mix((unsigned)F::__type, 1u);
  for (int i = 0; i < F::__rows; i++)
    for (int j = 0; j < F::__columns; j++) all = __spmd_tile_mix(all, by_rows ? p[i * ldm + j] : p[j * ldm + i]);
  __take(f, __spmd_tile_sum(all));
}
template<class Use, int M, int N, int K, class T, class S> __spmd_in void load_matrix_sync(fragment<Use, M, N, K, T, row_major>& f, const S* p, unsigned ldm) { __load(f, p, ldm, true); }
template<class Use, int M, int N, int K, class T, class S> __spmd_in void load_matrix_sync(fragment<Use, M, N, K, T, col_major>& f, const S* p, unsigned ldm) { __load(f, p, ldm, false); }
template<int M, int N, int K, class T, class S> __spmd_in void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const S* p, unsigned ldm, layout_t layout) {
  __load(f, p, ldm, layout == mem_row_major);
}
template<int M, int N, int K, class T, class S> __spmd_in void store_matrix_sync(S* p, const fragment<accumulator, M, N, K, T>& f, unsigned ldm, layout_t layout) {
  unsigned all = __spmd_tile_sum(__give(f, 2u));
  bool by_rows = layout == mem_row_major;
  __spmd_rows_are_long();
  __builtin_assume(ldm >= (unsigned)(by_rows ? N : M));
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      if (__spmd_laneid() == (unsigned)__spmd_tile_owner((int)f.__type * 2 + by_rows, i * N + j)) p[by_rows ? i * ldm + j : j * ldm + i] = __spmd_tile_out(all, 4096 + i * N + j, T());
}
template<int M, int N, int K, class T, class A, class B, class C, class L1, class L2>
__spmd_in void mma_sync(fragment<accumulator, M, N, K, T>& d, const fragment<matrix_a, M, N, K, A, L1>& a, const fragment<matrix_b, M, N, K, B, L2>& b,
                        const fragment<accumulator, M, N, K, C>& c, bool saturates = false) {
  unsigned own = __give(c, __give(b, __give(a, __spmd_tile_mix((unsigned)d.__type, saturates ? 4u : 3u))));
  __take(d, __spmd_tile_sum(own));
}
} }
__spmd_in float __float_to_tf32(float x) { return __spmd_tf32(x); }

// A warp's share in an instruction of PTX: what it brings is mixed into `own`, which starts as a number for the instruction.
__spmd_in unsigned __spmd_tile_word(unsigned all, int at) { return __spmd_tile_out(all, __spmd_laneid() * 64 + at, 0u); }
__spmd_in float __spmd_tile_float(unsigned all, int at) { return __spmd_tile_out(all, __spmd_laneid() * 64 + at, 0.0f); }
__spmd_in double __spmd_tile_double(unsigned all, int at) { return __spmd_tile_out(all, __spmd_laneid() * 64 + at, 0.0); }
// ldmatrix: the first lanes, eight for each matrix, name a row of sixteen bytes each, which they read.
__spmd_in unsigned __spmd_tile_rows(unsigned own, const void* row, int lanes) {
  if (__spmd_laneid() < (unsigned)lanes) {
    const __spmd_row<unsigned, 4> r = *(const __spmd_row<unsigned, 4>*)row;
    for (int i = 0; i < 4; i++) own = __spmd_tile_mix(own, r.v[i]);
  }
  return __spmd_tile_sum(own);
}
// stmatrix: the same rows are written.
__spmd_in void __spmd_tile_store(unsigned all, void* row, int lanes) {
  if (__spmd_laneid() < (unsigned)lanes) {
    __spmd_row<unsigned, 4> r;
    for (int i = 0; i < 4; i++) r.v[i] = __spmd_tile_word(all, i);
    *(__spmd_row<unsigned, 4>*)row = r;
  }
}
