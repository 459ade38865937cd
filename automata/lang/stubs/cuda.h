// What this tool declares of CUDA C++ and of the C++ library, for libclang. It stands for every toolkit
// and standard header. The functions of automata/lang/library.py are put in at the line LIBRARY.

#undef __clang__
#undef __clang_major__
#undef __clang_minor__
#undef __clang_patchlevel__
#undef __clang_version__
#undef __llvm__
#undef __CUDA__
#define __CUDA_ARCH__ 700
#define __CUDA_ARCH_LIST__ __CUDA_ARCH__
#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define CUDA_VERSION 12080
#define CUDART_VERSION 12080
#define __CUDACC_EXTENDED_LAMBDA__ 1

#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define CUDARTAPI
#define __inline__ inline
#define __spmd_fn static inline __device__ __host__
#define __spmd_in __device__ __host__ inline
#define NULL __null

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long ssize_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef int8_t int_least8_t;
typedef uint8_t uint_least8_t;
typedef int32_t int_least32_t;
typedef uint32_t uint_least32_t;
typedef uint64_t uint_least64_t;
typedef int64_t int_fast32_t;
typedef uint64_t uint_fast32_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef uint8_t u_int8_t; typedef uint16_t u_int16_t; typedef uint32_t u_int32_t; typedef uint64_t u_int64_t;
typedef unsigned long ulong;
typedef long time_t;
typedef long clock_t;
typedef decltype(nullptr) nullptr_t;
typedef _Float16 __half;
typedef _Float16 half;
typedef __bf16 __nv_bfloat16;
typedef __bf16 nv_bfloat16;
typedef _Float16 nv_half;
typedef struct FILE FILE;
extern FILE *stdin, *stdout, *stderr;

#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define UINT32_C(x) x##U
#define INT32_C(x) x
#define UINT64_C(x) x##UL
#define INT64_C(x) x##L
#define UINT16_C(x) x
#define UINT8_C(x) x
#define SIZE_MAX 18446744073709551615UL
#define CHAR_BIT 8
#define CHAR_MAX 127
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define ULLONG_MAX 18446744073709551615ULL
#define RAND_MAX 2147483647
#define FLT_MAX 3.40282346638528859812e+38F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_EPSILON 1.19209289550781250000e-7F
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_DIG 15
#define INFINITY (__builtin_inff())
#define HUGE_VALF (__builtin_inff())
#define HUGE_VAL (__builtin_inf())
#define NAN (__builtin_nanf(""))
#define CUDART_INF_F (__builtin_inff())
#define CUDART_INF (__builtin_inf())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_NAN (__builtin_nan(""))
#define CUDART_MAX_NORMAL_F FLT_MAX
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_PIO2_F 1.570796327f
#define CUDART_SQRT_TWO_F 1.414213562f
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define CLOCKS_PER_SEC 1000000
#define SEEK_SET 0
#define SEEK_END 2
#define offsetof(type, member) __builtin_offsetof(type, member)
#define va_list __builtin_va_list
#define PRIu64 "lu"
#define PRId64 "ld"
#define PRIu32 "u"
#define PRIx64 "lx"
#define FLT_EVAL_METHOD 0
#define errno (*__spmd_errno())
int* __spmd_errno();
// assert stays a macro, so that its argument is a condition of any type.
#ifndef assert
#define assert(...) __spmd_assert(static_cast<bool>(__VA_ARGS__))
#endif

// Vector types: records with named parts.
#define __SPMD_VECTOR1(T, N) struct N##1 { T x; }; \
  __spmd_fn N##1 make_##N##1(T x) { return N##1{x}; }
#define __SPMD_VECTOR2(T, N, A) struct __align__(A) N##2 { T x, y; }; \
  __spmd_fn N##2 make_##N##2(T x, T y) { return N##2{x, y}; }
#define __SPMD_VECTOR3(T, N) struct N##3 { T x, y, z; }; \
  __spmd_fn N##3 make_##N##3(T x, T y, T z) { return N##3{x, y, z}; }
#define __SPMD_VECTOR4(T, N, A) struct __align__(A) N##4 { T x, y, z, w; }; \
  __spmd_fn N##4 make_##N##4(T x, T y, T z, T w) { return N##4{x, y, z, w}; }
#define __SPMD_VECTORS(T, N, A2, A4) __SPMD_VECTOR1(T, N) __SPMD_VECTOR2(T, N, A2) __SPMD_VECTOR3(T, N) __SPMD_VECTOR4(T, N, A4)
__SPMD_VECTORS(signed char, char, 2, 4)
__SPMD_VECTORS(unsigned char, uchar, 2, 4)
__SPMD_VECTORS(short, short, 4, 8)
__SPMD_VECTORS(unsigned short, ushort, 4, 8)
__SPMD_VECTORS(int, int, 8, 16)
__SPMD_VECTORS(unsigned int, uint, 8, 16)
__SPMD_VECTORS(long, long, 16, 16)
__SPMD_VECTORS(unsigned long, ulong, 16, 16)
__SPMD_VECTORS(long long, longlong, 16, 16)
__SPMD_VECTORS(unsigned long long, ulonglong, 16, 16)
__SPMD_VECTORS(float, float, 8, 16)
__SPMD_VECTORS(double, double, 16, 16)

struct dim3 {
  unsigned int x, y, z;
  __device__ __host__ constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
  __device__ __host__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __device__ __host__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
extern __device__ __host__ const uint3 threadIdx;
extern __device__ __host__ const uint3 blockIdx;
extern __device__ __host__ const dim3 blockDim;
extern __device__ __host__ const dim3 gridDim;
extern __device__ __host__ const int warpSize;

// LIBRARY


// Traits that overloads and user code need.
namespace std {
using ::size_t; using ::ptrdiff_t; using ::nullptr_t;
using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t;
template<class T, T V> struct integral_constant {
  static constexpr T value = V;
  using value_type = T;
  __device__ __host__ constexpr operator T() const { return V; }
  __device__ __host__ constexpr T operator()() const { return V; }
};
template<bool B> using bool_constant = integral_constant<bool, B>;
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;
template<class T, class U> struct is_same : bool_constant<__is_same(T, U)> {};
template<class T> struct remove_reference { using type = __remove_reference_t(T); };
template<class T> struct remove_cv { using type = __remove_cv(T); };
template<class T> struct remove_const { using type = __remove_const(T); };
template<class T> struct remove_volatile { using type = __remove_volatile(T); };
template<class T> struct remove_pointer { using type = __remove_pointer(T); };
template<class T> struct remove_extent { using type = __remove_extent(T); };
template<class T, unsigned N = 0> inline constexpr size_t extent_v = __array_extent(T, N);
template<class T> struct decay { using type = __decay(T); };
template<class T> struct remove_cvref { using type = __remove_cvref(T); };
template<class T> struct add_const { using type = const T; };
template<class T> struct add_pointer { using type = __add_pointer(T); };
template<class T> struct make_unsigned { using type = __make_unsigned(T); };
template<class T> struct make_signed { using type = __make_signed(T); };
template<class T> struct underlying_type { using type = __underlying_type(T); };
template<class T> struct type_identity { using type = T; };
template<class T> struct is_integral : bool_constant<__is_integral(T)> {};
template<class T> struct is_floating_point : bool_constant<__is_floating_point(T)> {};
template<class T> struct is_arithmetic : bool_constant<__is_arithmetic(T)> {};
template<class T> struct is_signed : bool_constant<__is_signed(T)> {};
template<class T> struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template<class T> struct is_pointer : bool_constant<__is_pointer(T)> {};
template<class T> struct is_enum : bool_constant<__is_enum(T)> {};
template<class T> struct is_class : bool_constant<__is_class(T)> {};
template<class T> struct is_void : bool_constant<__is_void(T)> {};
template<class T> struct is_const : bool_constant<__is_const(T)> {};
template<class T> struct is_reference : bool_constant<__is_reference(T)> {};
template<class T> struct is_array : bool_constant<__is_array(T)> {};
template<class T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template<class B, class D> struct is_base_of : bool_constant<__is_base_of(B, D)> {};
template<class A, class B> struct is_convertible : bool_constant<__is_convertible(A, B)> {};
template<class T> inline constexpr bool is_integral_v = __is_integral(T);
// Half precision is a class to the device library, whatever it is here.
#define __SPMD_A_CLASS(T) template<> struct is_floating_point<T> : false_type {}; template<> struct is_arithmetic<T> : false_type {}; \
  template<> struct is_signed<T> : false_type {}; template<> struct is_class<T> : true_type {};
__SPMD_A_CLASS(_Float16) __SPMD_A_CLASS(__bf16)
template<class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template<class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template<class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template<class T> inline constexpr bool is_unsigned_v = __is_unsigned(T);
template<class T> inline constexpr bool is_pointer_v = __is_pointer(T);
template<class T> inline constexpr bool is_enum_v = __is_enum(T);
template<class T> inline constexpr bool is_class_v = is_class<T>::value;
template<class T> inline constexpr bool is_void_v = __is_void(T);
template<class T> inline constexpr bool is_pod_v = __is_pod(T);
template<class T> inline constexpr bool is_trivial_v = __is_trivial(T);
template<class T> inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template<class T, class U> inline constexpr bool is_same_v = __is_same(T, U);
template<class A, class B> inline constexpr bool is_convertible_v = __is_convertible(A, B);
template<class A, class B> inline constexpr bool is_base_of_v = __is_base_of(A, B);
template<bool B, class T = void> struct enable_if {};
template<class T> struct enable_if<true, T> { using type = T; };
template<bool B, class T, class F> struct conditional { using type = T; };
template<class T, class F> struct conditional<false, T, F> { using type = F; };
template<bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template<bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template<class T> using remove_reference_t = __remove_reference_t(T);
template<class T> using remove_cv_t = __remove_cv(T);
template<class T> using remove_const_t = __remove_const(T);
template<class T> using remove_pointer_t = __remove_pointer(T);
template<class T> using add_pointer_t = __add_pointer(T);
template<class T> using add_const_t = const T;
template<class T> using add_lvalue_reference_t = __add_lvalue_reference(T);
template<class T> using add_rvalue_reference_t = __add_rvalue_reference(T);
template<class T> using remove_cvref_t = __remove_cvref(T);
template<class T> using decay_t = __decay(T);
template<class T> using make_unsigned_t = __make_unsigned(T);
template<class T> using make_signed_t = __make_signed(T);
template<class T> using underlying_type_t = __underlying_type(T);
template<class...> using void_t = void;
template<class T> T&& declval() noexcept;
template<class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template<class T> struct rank : integral_constant<size_t, 0> {};
template<class T> struct rank<T[]> : integral_constant<size_t, rank<T>::value + 1> {};
template<class T, size_t N> struct rank<T[N]> : integral_constant<size_t, rank<T>::value + 1> {};
template<class T> struct is_nothrow_move_assignable : bool_constant<__is_nothrow_assignable(T&, T&&)> {};
template<class T> struct is_nothrow_move_constructible : bool_constant<__is_nothrow_constructible(T, T&&)> {};
template<class T> struct is_default_constructible : bool_constant<__is_constructible(T)> {};
template<class T> struct is_trivial : bool_constant<__is_trivial(T)> {};
template<class T> struct is_pod : bool_constant<__is_pod(T)> {};
template<class T> struct is_standard_layout : bool_constant<__is_standard_layout(T)> {};
template<class T> struct is_trivially_destructible : bool_constant<__is_trivially_destructible(T)> {};
template<class T> struct is_empty : bool_constant<__is_empty(T)> {};
template<class A, class B> struct __common { using type = __decay(decltype(false ? declval<A>() : declval<B>())); };
template<class... T> struct common_type;
template<class A> struct common_type<A> { using type = __decay(A); };
template<class A, class B> struct common_type<A, B> { using type = typename __common<A, B>::type; };
template<class... T> using common_type_t = typename common_type<T...>::type;
template<size_t N, size_t A = 16> struct aligned_storage { struct type { alignas(A) unsigned char data[N]; }; };
template<class F, class... A> struct result_of;
template<class F, class... A> struct result_of<F(A...)> { using type = decltype(declval<F>()(declval<A>()...)); };
template<class F, class... A> struct invoke_result { using type = decltype(declval<F>()(declval<A>()...)); };
template<class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template<size_t... I> struct index_sequence {};
template<class T, T... I> struct integer_sequence {};
template<size_t N, size_t... I> struct __counted : __counted<N - 1, N - 1, I...> {};
template<size_t... I> struct __counted<0, I...> { using type = index_sequence<I...>; };
template<size_t N> using make_index_sequence = typename __counted<N>::type;
template<class... B> struct conjunction : bool_constant<(B::value && ...)> {};
template<class... B> struct disjunction : bool_constant<(B::value || ...)> {};
template<class B> struct negation : bool_constant<!B::value> {};
template<class T> constexpr bool is_scalar_v = __is_scalar(T);
template<class T> __device__ __host__ constexpr __remove_reference_t(T)&& move(T&& x) noexcept { return static_cast<__remove_reference_t(T)&&>(x); }
template<class T> __device__ __host__ constexpr T&& forward(__remove_reference_t(T)& x) noexcept { return static_cast<T&&>(x); }
template<class T> __device__ __host__ constexpr void swap(T& a, T& b) { T c = a; a = b; b = c; }
template<class T> __device__ __host__ constexpr T min(const T& a, const T& b) { return b < a ? b : a; }
template<class T> __device__ __host__ constexpr T max(const T& a, const T& b) { return a < b ? b : a; }
template<class T, class L> __device__ __host__ constexpr T min(const T& a, const T& b, L less) { return less(b, a) ? b : a; }
template<class T, class L> __device__ __host__ constexpr T max(const T& a, const T& b, L less) { return less(a, b) ? b : a; }
template<class T> __device__ __host__ constexpr T clamp(const T& x, const T& a, const T& b) { return x < a ? a : b < x ? b : x; }
template<class A, class B> struct pair {
  using first_type = A; using second_type = B;
  A first; B second;
  __device__ __host__ constexpr pair() : first(), second() {}
  __device__ __host__ constexpr pair(const A& a, const B& b) : first(a), second(b) {}
  template<class U, class V> __device__ __host__ constexpr pair(const pair<U, V>& p) : first(p.first), second(p.second) {}
};
template<class A, class B> __device__ __host__ constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
#define __SPMD_RELATION(OP, TEXT) \
  template<class A, class B> __device__ __host__ constexpr bool operator OP(const pair<A, B>& x, const pair<A, B>& y) { return TEXT; }
__SPMD_RELATION(==, x.first == y.first && x.second == y.second) __SPMD_RELATION(!=, !(x == y))
__SPMD_RELATION(<, x.first < y.first || (!(y.first < x.first) && x.second < y.second)) __SPMD_RELATION(>, y < x)
__SPMD_RELATION(<=, !(y < x)) __SPMD_RELATION(>=, !(x < y))
// A tuple is its first element and a tuple of the rest. Each begins with the value of `T()`, as the standard has it.
template<class... T> struct tuple {};
template<class A, class... T> struct tuple<A, T...> {
  A head; tuple<T...> rest;
  __device__ __host__ constexpr tuple() : head(), rest() {}
  tuple(const tuple&) = default;
  tuple(tuple&&) = default;
  __device__ __host__ constexpr tuple(const A& a, const T&... t) : head(a), rest(t...) {}
  template<class U, class... V, class = enable_if_t<sizeof...(V) == sizeof...(T) && __is_constructible(A, U&&)>>
  __device__ __host__ constexpr tuple(U&& a, V&&... t) : head(static_cast<U&&>(a)), rest(static_cast<V&&>(t)...) {}
  template<class U, class... V, class = enable_if_t<sizeof...(V) == sizeof...(T)>>
  __device__ __host__ constexpr tuple(const tuple<U, V...>& t) : head(t.head), rest(t.rest) {}
  __device__ __host__ constexpr tuple& operator=(const tuple& t) { head = t.head; rest = t.rest; return *this; }
  template<class U, class... V> __device__ __host__ constexpr tuple& operator=(const tuple<U, V...>& t) { head = t.head; rest = t.rest; return *this; }
};
template<size_t N, class T> struct tuple_element;
template<class T, class... U> struct tuple_element<0, tuple<T, U...>> { using type = T; };
template<size_t N, class T, class... U> struct tuple_element<N, tuple<T, U...>> : tuple_element<N - 1, tuple<U...>> {};
template<class T> struct tuple_size;
template<class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template<size_t N, class T> using tuple_element_t = typename tuple_element<N, T>::type;
template<size_t N, class... T> __device__ __host__ constexpr tuple_element_t<N, tuple<T...>>& get(tuple<T...>& t) {
  if constexpr (N == 0) return t.head; else return get<N - 1>(t.rest);
}
template<size_t N, class... T> __device__ __host__ constexpr const tuple_element_t<N, tuple<T...>>& get(const tuple<T...>& t) {
  if constexpr (N == 0) return t.head; else return get<N - 1>(t.rest);
}
template<class... T> __device__ __host__ constexpr tuple<__decay(T)...> make_tuple(T&&... t) { return tuple<__decay(T)...>(static_cast<T&&>(t)...); }
template<class... T> __device__ __host__ constexpr tuple<T&...> tie(T&... t) { return tuple<T&...>(t...); }
template<class... T> __device__ __host__ constexpr tuple<T&&...> forward_as_tuple(T&&... t) { return tuple<T&&...>(static_cast<T&&>(t)...); }
template<class T, size_t N> struct array {
  using value_type = T;
  T items[N];
  __device__ __host__ constexpr T& operator[](size_t at) { return items[at]; }
  __device__ __host__ constexpr const T& operator[](size_t at) const { return items[at]; }
  __device__ __host__ constexpr size_t size() const { return N; }
  __device__ __host__ constexpr T* data() { return items; }
  __device__ __host__ constexpr const T* data() const { return items; }
};
template<class T> struct plus { __device__ __host__ constexpr T operator()(const T& a, const T& b) const { return a + b; } };
template<class T> struct minus { __device__ __host__ constexpr T operator()(const T& a, const T& b) const { return a - b; } };
template<class T> struct multiplies { __device__ __host__ constexpr T operator()(const T& a, const T& b) const { return a * b; } };
template<class T> struct less { __device__ __host__ constexpr bool operator()(const T& a, const T& b) const { return a < b; } };
template<class T> struct greater { __device__ __host__ constexpr bool operator()(const T& a, const T& b) const { return a > b; } };
enum class byte : unsigned char {};

template<class T> struct __limits_of { static constexpr bool is_specialized = false; };
#define __SPMD_LIMITS(T, LOW, HIGH, SMALL, EPS, INF, NANS, DIGITS, SIGNED, INTEGER) template<> struct __limits_of<T> { \
  static constexpr bool is_specialized = true, is_signed = SIGNED, is_integer = INTEGER, has_infinity = !INTEGER; \
  static constexpr int digits = DIGITS; \
  __spmd_in static constexpr T max() { return HIGH; } \
  __spmd_in static constexpr T lowest() { return LOW; } \
  __spmd_in static constexpr T min() { return SMALL; } \
  __spmd_in static constexpr T epsilon() { return EPS; } \
  __spmd_in static constexpr T infinity() { return INF; } \
  __spmd_in static constexpr T quiet_NaN() { return NANS; } };
#define __SPMD_INT_LIMITS(T, LOW, HIGH, DIGITS, SIGNED) __SPMD_LIMITS(T, LOW, HIGH, LOW, 0, 0, 0, DIGITS, SIGNED, true)
__SPMD_INT_LIMITS(bool, false, true, 1, false)
__SPMD_INT_LIMITS(char, -128, 127, 7, true)
__SPMD_INT_LIMITS(signed char, -128, 127, 7, true)
__SPMD_INT_LIMITS(unsigned char, 0, 255, 8, false)
__SPMD_INT_LIMITS(short, SHRT_MIN, SHRT_MAX, 15, true)
__SPMD_INT_LIMITS(unsigned short, 0, USHRT_MAX, 16, false)
__SPMD_INT_LIMITS(int, INT_MIN, INT_MAX, 31, true)
__SPMD_INT_LIMITS(unsigned int, 0, UINT_MAX, 32, false)
__SPMD_INT_LIMITS(long, LONG_MIN, LONG_MAX, 63, true)
__SPMD_INT_LIMITS(unsigned long, 0, ULONG_MAX, 64, false)
__SPMD_INT_LIMITS(long long, LLONG_MIN, LLONG_MAX, 63, true)
__SPMD_INT_LIMITS(unsigned long long, 0, ULLONG_MAX, 64, false)
__SPMD_LIMITS(float, -FLT_MAX, FLT_MAX, FLT_MIN, FLT_EPSILON, INFINITY, NAN, 24, true, false)
__SPMD_LIMITS(double, -DBL_MAX, DBL_MAX, DBL_MIN, DBL_EPSILON, HUGE_VAL, __builtin_nan(""), 53, true, false)
template<class T> struct numeric_limits : __limits_of<__remove_cv(T)> {};
}  // namespace std

// A number for one of several parameters. Half precision is a class to CUDA: a number goes to another number before it goes there.
template<class T> struct __spmd_number {
  T value;
  template<class U, class = std::enable_if_t<std::is_arithmetic_v<U>>> __host__ __spmd_in operator U() const { return (U)value; }
};
template<class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> __host__ __spmd_in __spmd_number<T> __spmd_as_number(T value) { return {value}; }

// Overloads that take integers or mixed arguments, as C++ has them.
template<class A, class B> constexpr bool __spmd_differ = !__is_same(decltype(+A()), decltype(+B())) || __is_same(decltype(+A()), long) || __is_same(decltype(+A()), unsigned long);
template<class A, class B, bool D = __is_arithmetic(A) && __is_arithmetic(B)> struct __spmd_common {};
template<class A, class B> struct __spmd_common<A, B, true> : std::enable_if<__spmd_differ<A, B>, decltype(A() + B())> {};
template<class A, class B> using __spmd_both = typename __spmd_common<A, B>::type;
template<class A, class B> using __spmd_real = typename std::enable_if<__is_arithmetic(A) && __is_arithmetic(B), double>::type;
template<class T> using __spmd_whole = typename std::enable_if<__is_integral(T), double>::type;
template<class A, class B> __device__ __host__ __spmd_both<A, B> max(A a, B b) {
  using C = decltype(A() + B());
  if constexpr (__is_integral(C)) return (C)a < (C)b ? (C)b : (C)a;
  else return ::max((C)a, (C)b);
}
template<class A, class B> __device__ __host__ __spmd_both<A, B> min(A a, B b) {
  using C = decltype(A() + B());
  if constexpr (__is_integral(C)) return (C)b < (C)a ? (C)b : (C)a;
  else return ::min((C)a, (C)b);
}
// Only for the type itself: what converts to it and to float, too, is taken as float.
template<class T> using __spmd_only_half = std::enable_if_t<__is_same(T, _Float16), T>;
template<class T> __device__ __host__ __spmd_only_half<T> max(T a, T b) { return a < b ? b : a; }
template<class T> __device__ __host__ __spmd_only_half<T> min(T a, T b) { return b < a ? b : a; }
__spmd_in long abs(long x) { return x < 0 ? -x : x; }
#define __SPMD_WHOLE(f) template<class T> __device__ __host__ __spmd_whole<T> f(T x) { return ::f((double)x); }
#define __SPMD_MIXED(f) template<class A, class B> __device__ __host__ __spmd_real<A, B> f(A a, B b) { return ::f((double)a, (double)b); }
__SPMD_WHOLE(sqrt) __SPMD_WHOLE(cbrt) __SPMD_WHOLE(rsqrt) __SPMD_WHOLE(exp) __SPMD_WHOLE(exp2) __SPMD_WHOLE(log) __SPMD_WHOLE(log2)
__SPMD_WHOLE(log10) __SPMD_WHOLE(log1p) __SPMD_WHOLE(sin) __SPMD_WHOLE(cos) __SPMD_WHOLE(tan) __SPMD_WHOLE(atan) __SPMD_WHOLE(acos)
__SPMD_WHOLE(asin) __SPMD_WHOLE(sinh) __SPMD_WHOLE(cosh) __SPMD_WHOLE(tanh) __SPMD_WHOLE(fabs) __SPMD_WHOLE(floor) __SPMD_WHOLE(ceil)
__SPMD_WHOLE(round) __SPMD_WHOLE(trunc) __SPMD_WHOLE(rint) __SPMD_WHOLE(erf) __SPMD_WHOLE(erfc) __SPMD_WHOLE(lgamma)
__SPMD_MIXED(pow) __SPMD_MIXED(fmax) __SPMD_MIXED(fmin) __SPMD_MIXED(fmod) __SPMD_MIXED(atan2) __SPMD_MIXED(hypot) __SPMD_MIXED(copysign)
template<class T> __device__ __host__ bool isnan(T x) { return x != x; }
__spmd_in bool isinf(float x) { return x == INFINITY || x == -INFINITY; }
__spmd_in bool isinf(double x) { return x == HUGE_VAL || x == -HUGE_VAL; }
template<class T> __device__ __host__ bool isfinite(T x) { return !(isnan(x) || isinf(x)); }
__spmd_in bool signbit(float x) { return __float_as_int(x) < 0; }
__spmd_in bool signbit(double x) { return __double_as_longlong(x) < 0; }
__spmd_in int __signbitf(float x) { return __float_as_int(x) < 0; } __spmd_in int __signbit(double x) { return __double_as_longlong(x) < 0; }
__spmd_in int __signbitd(double x) { return __double_as_longlong(x) < 0; }
__spmd_in float fdividef(float a, float b) { return a / b; }
__spmd_in void sincos(double x, double* s, double* c) { *s = __spmd_both_sin(x); *c = __spmd_both_cos(x); }
__spmd_in void sincosf(float x, float* s, float* c) { *s = __spmd_both_sin(x); *c = __spmd_both_cos(x); }
__spmd_in void __sincosf(float x, float* s, float* c) { *s = __sinf(x); *c = __cosf(x); }
__spmd_in void sincos(float x, float* s, float* c) { *s = __spmd_both_sin(x); *c = __spmd_both_cos(x); }
__spmd_in void sincospi(double x, double* s, double* c) { *s = __spmd_both_sinpi(x); *c = __spmd_both_cospi(x); }
__spmd_in void sincospif(float x, float* s, float* c) { *s = __spmd_both_sinpi(x); *c = __spmd_both_cospi(x); }
__spmd_in float modff(float x, float* whole) { *whole = truncf(x); return copysignf(isinf(x) ? 0.0f : x - *whole, x); }
__spmd_in double modf(double x, double* whole) { *whole = trunc(x); return copysign(isinf(x) ? 0.0 : x - *whole, x); }
__spmd_in float modf(float x, float* whole) { return modff(x, whole); }
__spmd_in float frexpf(float x, int* exponent) {
  bool is_kept = x == 0 || isnan(x) || isinf(x);
  *exponent = is_kept ? 0 : ilogbf(x) + 1;
  return is_kept ? x : scalbnf(x, -(ilogbf(x) + 1));
}
__spmd_in double frexp(double x, int* exponent) {
  bool is_kept = x == 0 || isnan(x) || isinf(x);
  *exponent = is_kept ? 0 : ilogb(x) + 1;
  return is_kept ? x : scalbn(x, -(ilogb(x) + 1));
}
__spmd_in float frexp(float x, int* exponent) { return frexpf(x, exponent); }
#define __SPMD_SHUFFLE(T, W) \
  __spmd_in T __shfl_sync(unsigned m, T v, int l, int w = 32) { return (T)__shfl_sync(m, (W)v, l, w); } \
  __spmd_in T __shfl_up_sync(unsigned m, T v, unsigned d, int w = 32) { return (T)__shfl_up_sync(m, (W)v, d, w); } \
  __spmd_in T __shfl_down_sync(unsigned m, T v, unsigned d, int w = 32) { return (T)__shfl_down_sync(m, (W)v, d, w); } \
  __spmd_in T __shfl_xor_sync(unsigned m, T v, int x, int w = 32) { return (T)__shfl_xor_sync(m, (W)v, x, w); }
__SPMD_SHUFFLE(long, long long)
__SPMD_SHUFFLE(unsigned long, unsigned long long)
__spmd_in int __syncthreads_and(bool x) { return __syncthreads_and((int)x); }
#define fabsl(x) fabs((double)(x))
#define sqrtl(x) sqrt((double)(x))
namespace std {
using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p; using ::sin;
using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::erf;
using ::erfc; using ::pow; using ::hypot; using ::fmod; using ::copysign; using ::fabs; using ::floor; using ::ceil; using ::trunc;
using ::rint; using ::nearbyint; using ::fmin; using ::fmax; using ::fma; using ::ldexp; using ::lgamma; using ::tgamma; using ::round;
using ::remainder; using ::fdim; using ::acosh; using ::asinh; using ::atanh; using ::abs; using ::isnan; using ::isinf; using ::isfinite;
using ::signbit; using ::memcpy; using ::memset; using ::memmove; using ::printf; using ::lround; using ::nextafter; using ::sqrtf;
using ::fabsf; using ::expf; using ::logf; using ::powf; using ::sinf; using ::cosf; using ::floorf; using ::ceilf; using ::modf;
using ::fmaxf; using ::fminf; using ::nearbyintf; using ::malloc; using ::free; using ::labs; using ::llabs; using ::logb; using ::ilogb;
template<class T> struct complex {
  T re, im;
  __spmd_in constexpr complex(T a = T(), T b = T()) : re(a), im(b) {}
  __spmd_in T real() const { return re; }
  __spmd_in T imag() const { return im; }
};
}  // namespace std
#include "half.h"
#include "groups.h"
#include "ptx.h"
#include "intrinsics.h"
#include "mma.h"
#include "curand.h"
#include "cub.h"
#include "host.h"
