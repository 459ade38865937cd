// Functions of CUDA made of simpler ones: integers side by side in a word, matches, types of eight bits, one atomic object.

// Two or four integers in a word: a function of each (CUDA Math API, "SIMD Intrinsics").
template<class E, int AT, class F> __spmd_in unsigned __spmd_part(unsigned a, unsigned b, F one) {
  constexpr unsigned mask = sizeof(E) == 1 ? 0xffu : 0xffffu;
  return ((unsigned)one((int)(E)(a >> AT & mask), (int)(E)(b >> AT & mask)) & mask) << AT;
}
template<class E, class F> __spmd_in unsigned __spmd_side_by_side(unsigned a, unsigned b, F one) {
  if constexpr (sizeof(E) == 2) return __spmd_part<E, 0>(a, b, one) | __spmd_part<E, 16>(a, b, one);
  else return __spmd_part<E, 0>(a, b, one) | __spmd_part<E, 8>(a, b, one) | __spmd_part<E, 16>(a, b, one) | __spmd_part<E, 24>(a, b, one);
}
struct __spmd_add { __spmd_in int operator()(int a, int b) const { return a + b; } };
struct __spmd_sub { __spmd_in int operator()(int a, int b) const { return a - b; } };
struct __spmd_larger { __spmd_in int operator()(int a, int b) const { return a < b ? b : a; } };
struct __spmd_smaller { __spmd_in int operator()(int a, int b) const { return b < a ? b : a; } };
struct __spmd_apart { __spmd_in int operator()(int a, int b) const { return a < b ? b - a : a - b; } };
struct __spmd_middle { __spmd_in int operator()(int a, int b) const { return (a + b + 1) >> 1; } };
struct __spmd_middle_from_zero { __spmd_in int operator()(int a, int b) const { return (a + b + (a + b >= 0)) >> 1; } };
struct __spmd_half_sum { __spmd_in int operator()(int a, int b) const { return (a + b) >> 1; } };
template<int LOW, int HIGH, class F> struct __spmd_within { __spmd_in int operator()(int a, int b) const { int c = F()(a, b); return c < LOW ? LOW : c > HIGH ? HIGH : c; } };
struct __spmd_size { __spmd_in int operator()(int, int a) const { return a < 0 ? -a : a; } };
template<class E, int AT> __spmd_in unsigned __spmd_distance(unsigned a, unsigned b) {
  constexpr unsigned mask = sizeof(E) == 1 ? 0xffu : 0xffffu;
  return (unsigned)__spmd_apart()((int)(E)(a >> AT & mask), (int)(E)(b >> AT & mask));
}
template<class E> __spmd_in unsigned __spmd_sum_of_distances(unsigned a, unsigned b) {
  if constexpr (sizeof(E) == 2) return __spmd_distance<E, 0>(a, b) + __spmd_distance<E, 16>(a, b);
  else return __spmd_distance<E, 0>(a, b) + __spmd_distance<E, 8>(a, b) + __spmd_distance<E, 16>(a, b) + __spmd_distance<E, 24>(a, b);
}
// Funnel shifts by 32 at most; those of the table take a shift modulo 32 (CUDA Math API, "Integer Intrinsics").
__spmd_in unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned by) { return by < 32 ? __funnelshift_l(lo, hi, by) : lo; }
__spmd_in unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned by) { return by < 32 ? __funnelshift_r(lo, hi, by) : hi; }
#define __SPMD_SIMD(n, S, U, SLOW, SHIGH, UHIGH) \
  __spmd_in unsigned __vadd##n(unsigned a, unsigned b) { return __spmd_side_by_side<U>(a, b, __spmd_add()); } \
  __spmd_in unsigned __vsub##n(unsigned a, unsigned b) { return __spmd_side_by_side<U>(a, b, __spmd_sub()); } \
  __spmd_in unsigned __vaddss##n(unsigned a, unsigned b) { return __spmd_side_by_side<S>(a, b, __spmd_within<SLOW, SHIGH, __spmd_add>()); } \
  __spmd_in unsigned __vaddus##n(unsigned a, unsigned b) { return __spmd_side_by_side<U>(a, b, __spmd_within<0, UHIGH, __spmd_add>()); } \
  __spmd_in unsigned __vsubss##n(unsigned a, unsigned b) { return __spmd_side_by_side<S>(a, b, __spmd_within<SLOW, SHIGH, __spmd_sub>()); } \
  __spmd_in unsigned __vsubus##n(unsigned a, unsigned b) { return __spmd_side_by_side<U>(a, b, __spmd_within<0, UHIGH, __spmd_sub>()); } \
  __spmd_in unsigned __vmaxs##n(unsigned a, unsigned b) { return __spmd_side_by_side<S>(a, b, __spmd_larger()); } \
  __spmd_in unsigned __vmaxu##n(unsigned a, unsigned b) { return __spmd_side_by_side<U>(a, b, __spmd_larger()); } \
  __spmd_in unsigned __vmins##n(unsigned a, unsigned b) { return __spmd_side_by_side<S>(a, b, __spmd_smaller()); } \
  __spmd_in unsigned __vminu##n(unsigned a, unsigned b) { return __spmd_side_by_side<U>(a, b, __spmd_smaller()); } \
  __spmd_in unsigned __vabsdiffu##n(unsigned a, unsigned b) { return __spmd_side_by_side<U>(a, b, __spmd_apart()); } \
  __spmd_in unsigned __vabsdiffs##n(unsigned a, unsigned b) { return __spmd_side_by_side<S>(a, b, __spmd_apart()); } \
  __spmd_in unsigned __vavgu##n(unsigned a, unsigned b) { return __spmd_side_by_side<U>(a, b, __spmd_middle()); } \
  __spmd_in unsigned __vavgs##n(unsigned a, unsigned b) { return __spmd_side_by_side<S>(a, b, __spmd_middle_from_zero()); } \
  __spmd_in unsigned __vhaddu##n(unsigned a, unsigned b) { return __spmd_side_by_side<U>(a, b, __spmd_half_sum()); } \
  __spmd_in unsigned __vneg##n(unsigned a) { return __spmd_side_by_side<U>(0, a, __spmd_sub()); } \
  __spmd_in unsigned __vnegss##n(unsigned a) { return __spmd_side_by_side<S>(0, a, __spmd_within<SLOW, SHIGH, __spmd_sub>()); } \
  __spmd_in unsigned __vabs##n(unsigned a) { return __spmd_side_by_side<S>(0, a, __spmd_size()); } \
  __spmd_in unsigned __vabsss##n(unsigned a) { return __spmd_side_by_side<S>(0, a, __spmd_within<SLOW, SHIGH, __spmd_size>()); } \
  __spmd_in unsigned __vsads##n(unsigned a, unsigned b) { return __spmd_sum_of_distances<S>(a, b); } \
  __spmd_in unsigned __vsadu##n(unsigned a, unsigned b) { return __spmd_sum_of_distances<U>(a, b); } \
  __SPMD_COMPARE(n, eq, U, ==) __SPMD_COMPARE(n, ne, U, !=) __SPMD_COMPARE(n, gtu, U, >) __SPMD_COMPARE(n, geu, U, >=) \
  __SPMD_COMPARE(n, ltu, U, <) __SPMD_COMPARE(n, leu, U, <=) __SPMD_COMPARE(n, gts, S, >) __SPMD_COMPARE(n, ges, S, >=) \
  __SPMD_COMPARE(n, lts, S, <) __SPMD_COMPARE(n, les, S, <=)
#define __SPMD_COMPARE(n, name, E, op) \
  struct __spmd_set_##name##n { __spmd_in int operator()(int a, int b) const { return a op b ? 1 : 0; } }; \
  struct __spmd_cmp_##name##n { __spmd_in int operator()(int a, int b) const { return a op b ? -1 : 0; } }; \
  __spmd_in unsigned __vset##name##n(unsigned a, unsigned b) { return __spmd_side_by_side<E>(a, b, __spmd_set_##name##n()); } \
  __spmd_in unsigned __vcmp##name##n(unsigned a, unsigned b) { return __spmd_side_by_side<E>(a, b, __spmd_cmp_##name##n()); }
__SPMD_SIMD(2, short, unsigned short, -32768, 32767, 65535)
__SPMD_SIMD(4, signed char, unsigned char, -128, 127, 255)

// The largest or smallest of several, of sums too, with 0 among them, and with which it is (CUDA Math API, "Integer Intrinsics" and "SIMD
// Intrinsics"; hardware has them as DPX). Sums wrap.
#define __SPMD_OF_WORDS(name, T, one, kind) \
  __spmd_in T __vi##name##3_##kind(T a, T b, T c) { return one()(one()(a, b), c); } \
  __spmd_in T __viadd##name##_##kind(T a, T b, T c) { return one()((T)((unsigned)a + (unsigned)b), c); }
#define __SPMD_OF_PARTS(name, letter) \
  __spmd_in unsigned __vi##name##3_##letter##16x2(unsigned a, unsigned b, unsigned c) { return __v##name##letter##2(__v##name##letter##2(a, b), c); } \
  __spmd_in unsigned __viadd##name##_##letter##16x2(unsigned a, unsigned b, unsigned c) { return __v##name##letter##2(__vadd2(a, b), c); }
#define __SPMD_WITH_WHICH(name, op) \
  __spmd_in int __vib##name##_s32(int a, int b, bool *which) { return (*which = a op b) ? a : b; } \
  __spmd_in unsigned __vib##name##_u32(unsigned a, unsigned b, bool *which) { return (*which = a op b) ? a : b; } \
  __spmd_in unsigned __vib##name##_s16x2(unsigned a, unsigned b, bool *high, bool *low) { \
    *high = (short)(a >> 16) op (short)(b >> 16); *low = (short)(a & 0xffffu) op (short)(b & 0xffffu); return __v##name##s2(a, b); } \
  __spmd_in unsigned __vib##name##_u16x2(unsigned a, unsigned b, bool *high, bool *low) { \
    *high = (a >> 16) op (b >> 16); *low = (a & 0xffffu) op (b & 0xffffu); return __v##name##u2(a, b); }
#define __SPMD_FROM_ZERO(name, one) \
  __spmd_in int __vi##name##_s32_relu(int a, int b) { return __spmd_larger()(one()(a, b), 0); } \
  __spmd_in int __vi##name##3_s32_relu(int a, int b, int c) { return __spmd_larger()(__vi##name##3_s32(a, b, c), 0); } \
  __spmd_in int __viadd##name##_s32_relu(int a, int b, int c) { return __spmd_larger()(__viadd##name##_s32(a, b, c), 0); } \
  __spmd_in unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__v##name##s2(a, b), 0); } \
  __spmd_in unsigned __vi##name##3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vi##name##3_s16x2(a, b, c), 0); } \
  __spmd_in unsigned __viadd##name##_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__viadd##name##_s16x2(a, b, c), 0); }
struct __spmd_larger_unsigned { __spmd_in unsigned operator()(unsigned a, unsigned b) const { return a < b ? b : a; } };
struct __spmd_smaller_unsigned { __spmd_in unsigned operator()(unsigned a, unsigned b) const { return b < a ? b : a; } };
__SPMD_OF_WORDS(max, int, __spmd_larger, s32) __SPMD_OF_WORDS(min, int, __spmd_smaller, s32)
__SPMD_OF_WORDS(max, unsigned, __spmd_larger_unsigned, u32) __SPMD_OF_WORDS(min, unsigned, __spmd_smaller_unsigned, u32)
__SPMD_OF_PARTS(max, s) __SPMD_OF_PARTS(min, s) __SPMD_OF_PARTS(max, u) __SPMD_OF_PARTS(min, u)
__SPMD_WITH_WHICH(max, >=) __SPMD_WITH_WHICH(min, <=)
__SPMD_FROM_ZERO(max, __spmd_larger) __SPMD_FROM_ZERO(min, __spmd_smaller)

// Whether all lanes that take part bring the same.
template<class T> __spmd_in unsigned __match_all_sync(unsigned lanes, T value, int *same) {
  unsigned here = __ballot_sync(lanes, 1);
  *same = __match_any_sync(lanes, value) == here;
  return *same ? here : 0u;
}

// Floats of eight bits: the conversions are opaque.
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
#define __SPMD_FP8(NAME, KIND) \
  struct NAME { \
    __nv_fp8_storage_t __x; \
    NAME() = default; \
    __spmd_in explicit NAME(float a) : __x(__spmd_to_##KIND(a)) {} \
    __spmd_in explicit NAME(double a) : __x(__spmd_to_##KIND(a)) {} \
    __spmd_in explicit NAME(__half a) : __x(__spmd_to_##KIND((float)a)) {} \
    __spmd_in explicit NAME(__nv_bfloat16 a) : __x(__spmd_to_##KIND((float)a)) {} \
    __spmd_in explicit NAME(int a) : __x(__spmd_to_##KIND((float)a)) {} \
    __spmd_in explicit operator float() const { return __spmd_from_##KIND(__x); } \
    __spmd_in explicit operator double() const { return __spmd_from_##KIND(__x); } \
    __spmd_in explicit operator __half() const { return (__half)__spmd_from_##KIND(__x); } \
    __spmd_in explicit operator __nv_bfloat16() const { return (__nv_bfloat16)__spmd_from_##KIND(__x); } \
    __spmd_in explicit operator int() const { return (int)__spmd_from_##KIND(__x); } \
    __spmd_in explicit operator bool() const { return (__x & 0x7f) != 0; } \
  }; \
  struct __align__(2) NAME##x2_parts { unsigned char x, y; };
#define __SPMD_FP8_ROWS(X2, X4, KIND) \
  struct __align__(2) X2 { \
    __nv_fp8x2_storage_t __x; \
    X2() = default; \
    __spmd_in explicit X2(float2 a) : __x((unsigned short)(__spmd_to_##KIND(a.x) | __spmd_to_##KIND(a.y) << 8)) {} \
    __spmd_in explicit X2(__half2 a) : __x((unsigned short)(__spmd_to_##KIND((float)a.x) | __spmd_to_##KIND((float)a.y) << 8)) {} \
    __spmd_in explicit operator float2() const { return float2{__spmd_from_##KIND((unsigned char)__x), __spmd_from_##KIND((unsigned char)(__x >> 8))}; } \
    __spmd_in explicit operator __half2() const { return __half2{(__half)__spmd_from_##KIND((unsigned char)__x), (__half)__spmd_from_##KIND((unsigned char)(__x >> 8))}; } \
  }; \
  struct __align__(4) X4 { \
    __nv_fp8x4_storage_t __x; \
    X4() = default; \
    __spmd_in explicit X4(__half2 a, __half2 b) : X4(float4{(float)a.x, (float)a.y, (float)b.x, (float)b.y}) {} \
    __spmd_in explicit X4(__nv_bfloat162 a, __nv_bfloat162 b) : X4(float4{(float)a.x, (float)a.y, (float)b.x, (float)b.y}) {} \
    __spmd_in explicit X4(float4 a) : __x((unsigned)__spmd_to_##KIND(a.x) | (unsigned)__spmd_to_##KIND(a.y) << 8 | (unsigned)__spmd_to_##KIND(a.z) << 16 | (unsigned)__spmd_to_##KIND(a.w) << 24) {} \
    __spmd_in explicit operator float4() const { return float4{__spmd_from_##KIND((unsigned char)__x), __spmd_from_##KIND((unsigned char)(__x >> 8)), \
      __spmd_from_##KIND((unsigned char)(__x >> 16)), __spmd_from_##KIND((unsigned char)(__x >> 24))}; } \
  };
__SPMD_FP8(__nv_fp8_e4m3, e4m3) __SPMD_FP8(__nv_fp8_e5m2, e5m2)
// Scales of eight bits: their conversions have no bodies here.
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  explicit __nv_fp8_e8m0(float); explicit __nv_fp8_e8m0(double); explicit __nv_fp8_e8m0(__half); explicit __nv_fp8_e8m0(__nv_bfloat16);
  explicit operator float() const; explicit operator __half() const; explicit operator __nv_bfloat16() const;
};
__SPMD_FP8_ROWS(__nv_fp8x2_e4m3, __nv_fp8x4_e4m3, e4m3) __SPMD_FP8_ROWS(__nv_fp8x2_e5m2, __nv_fp8x4_e5m2, e5m2)
__spmd_in __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t sat, __nv_fp8_interpretation_t kind) {
  return sat == __NV_SATFINITE ? kind == __NV_E4M3 ? __spmd_to_e4m3(x) : __spmd_to_e5m2(x) : kind == __NV_E4M3 ? __spmd_to_e4m3_open(x) : __spmd_to_e5m2_open(x);
}
__spmd_in __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half_raw{__half_as_ushort((__half)(kind == __NV_E4M3 ? __spmd_from_e4m3(x) : __spmd_from_e5m2(x)))};
}

// Floats of four bits, two to a byte: one for the sign, two for the exponent, one behind the point.
enum __nv_fp4_interpretation_t { __NV_E2M1 };
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
__spmd_in float __spmd_from_e2m1(unsigned bits) {
  unsigned power = bits >> 1 & 3u, half = bits & 1u;
  float size = 0.5f * (float)(power ? (2u + half) << (power - 1u) : half);
  return bits & 8u ? -size : size;
}
__spmd_in unsigned __spmd_to_e2m1(float x) {
  float a = fabsf(x);
  unsigned steps = (a > 0.25f) + (a >= 0.75f) + (a > 1.25f) + (a >= 1.75f) + (a > 2.5f) + (a >= 3.5f) + (a > 5.0f);
  return x != x ? 7u : steps | (__float_as_uint(x) >> 31) << 3;
}
struct __nv_fp4_e2m1 {
  __nv_fp4_storage_t __x;
  __nv_fp4_e2m1() = default;
  __spmd_in explicit __nv_fp4_e2m1(float a) : __x((unsigned char)__spmd_to_e2m1(a)) {}
  __spmd_in explicit __nv_fp4_e2m1(__half a) : __nv_fp4_e2m1((float)a) {}
  __spmd_in explicit __nv_fp4_e2m1(__nv_bfloat16 a) : __nv_fp4_e2m1((float)a) {}
  __spmd_in explicit operator float() const { return __spmd_from_e2m1(__x); }
  __spmd_in explicit operator double() const { return (double)__spmd_from_e2m1(__x); }
  __spmd_in explicit operator __half() const { return (__half)__spmd_from_e2m1(__x); }
  __spmd_in explicit operator __nv_bfloat16() const { return (__nv_bfloat16)__spmd_from_e2m1(__x); }
};
struct __nv_fp4x2_e2m1 {
  __nv_fp4x2_storage_t __x;
  __nv_fp4x2_e2m1() = default;
  __spmd_in explicit __nv_fp4x2_e2m1(float2 a) : __x((unsigned char)(__spmd_to_e2m1(a.x) | __spmd_to_e2m1(a.y) << 4)) {}
  __spmd_in explicit __nv_fp4x2_e2m1(__half2 a) : __nv_fp4x2_e2m1(float2{(float)a.x, (float)a.y}) {}
  __spmd_in explicit __nv_fp4x2_e2m1(__nv_bfloat162 a) : __nv_fp4x2_e2m1(float2{(float)a.x, (float)a.y}) {}
  __spmd_in explicit operator float2() const { return float2{__spmd_from_e2m1(__x), __spmd_from_e2m1((unsigned)__x >> 4)}; }
  __spmd_in explicit operator __half2() const { return __half2{(__half)__spmd_from_e2m1(__x), (__half)__spmd_from_e2m1((unsigned)__x >> 4)}; }
};
struct __align__(2) __nv_fp4x4_e2m1 {
  __nv_fp4x4_storage_t __x;
  __nv_fp4x4_e2m1() = default;
  __spmd_in explicit __nv_fp4x4_e2m1(float4 a)
    : __x((unsigned short)(__spmd_to_e2m1(a.x) | __spmd_to_e2m1(a.y) << 4 | __spmd_to_e2m1(a.z) << 8 | __spmd_to_e2m1(a.w) << 12)) {}
  __spmd_in explicit __nv_fp4x4_e2m1(__half2 a, __half2 b) : __nv_fp4x4_e2m1(float4{(float)a.x, (float)a.y, (float)b.x, (float)b.y}) {}
  __spmd_in explicit __nv_fp4x4_e2m1(__nv_bfloat162 a, __nv_bfloat162 b) : __nv_fp4x4_e2m1(float4{(float)a.x, (float)a.y, (float)b.x, (float)b.y}) {}
  __spmd_in explicit operator float4() const {
    return float4{__spmd_from_e2m1(__x), __spmd_from_e2m1((unsigned)__x >> 4), __spmd_from_e2m1((unsigned)__x >> 8), __spmd_from_e2m1((unsigned)__x >> 12)};
  }
};

// What an order of memory adds for other objects: a fence beside the one atomic access. Orders are numbered alike everywhere.
__spmd_in void __spmd_before(int order, bool is_narrow) {
  if (order < 3) return;
  if (is_narrow) __spmd_release_block(); else __spmd_release();
}
__spmd_in void __spmd_behind(int order, bool is_narrow) {
  if (order == 0 || order == 3) return;
  if (is_narrow) __spmd_acquire_block(); else __spmd_acquire();
}

// Atomic functions of the compiler itself (CUDA 12.8).
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_BLOCK = 1, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };
template<class T> __spmd_in T __nv_atomic_load_n(const T *at, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  bool is_narrow = scope <= __NV_THREAD_SCOPE_CLUSTER;
  T found = is_narrow ? __spmd_atomic_load_block(at) : __spmd_atomic_load(at);
  __spmd_behind(order, is_narrow);
  return found;
}
template<class T> __spmd_in void __nv_atomic_load(const T *at, T *to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { *to = __nv_atomic_load_n(at, order, scope); }
#define __SPMD_ATOMIC_N(name, update) \
  template<class T> __spmd_in T __nv_atomic_##name(T *at, T v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    bool is_narrow = scope <= __NV_THREAD_SCOPE_CLUSTER; \
    __spmd_before(order, is_narrow); \
    T old = is_narrow ? update##_block(at, v) : scope == __NV_THREAD_SCOPE_DEVICE ? update(at, v) : update##_system(at, v); \
    __spmd_behind(order, is_narrow); \
    return old; \
  }
__SPMD_ATOMIC_N(exchange_n, atomicExch) __SPMD_ATOMIC_N(fetch_add, atomicAdd) __SPMD_ATOMIC_N(fetch_min, atomicMin) __SPMD_ATOMIC_N(fetch_max, atomicMax)
__SPMD_ATOMIC_N(fetch_and, atomicAnd) __SPMD_ATOMIC_N(fetch_or, atomicOr) __SPMD_ATOMIC_N(fetch_xor, atomicXor)
#define __SPMD_ATOMIC_VOID(name, update) \
  template<class T> __spmd_in void __nv_atomic_##name(T *at, T v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    __spmd_before(order, scope <= __NV_THREAD_SCOPE_CLUSTER); \
    if (scope <= __NV_THREAD_SCOPE_CLUSTER) update##_block(at, v); \
    else if (scope == __NV_THREAD_SCOPE_DEVICE) update(at, v); \
    else update##_system(at, v); \
    if (order != __NV_ATOMIC_SEQ_CST) __spmd_behind(order, scope <= __NV_THREAD_SCOPE_CLUSTER); \
  }
__SPMD_ATOMIC_VOID(store_n, atomicExch) __SPMD_ATOMIC_VOID(add, atomicAdd) __SPMD_ATOMIC_VOID(min, atomicMin) __SPMD_ATOMIC_VOID(max, atomicMax)
__SPMD_ATOMIC_VOID(and, atomicAnd) __SPMD_ATOMIC_VOID(or, atomicOr) __SPMD_ATOMIC_VOID(xor, atomicXor)

// One object that is only reached atomically; fences of their own.
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
namespace std { enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
  using namespace ::std; }
using std::memory_order; using std::memory_order_relaxed; using std::memory_order_acquire; using std::memory_order_release;
using std::memory_order_acq_rel; using std::memory_order_seq_cst;
// Updates take words of 64 bits as long long alone.
template<class T> struct __spmd_word { typedef T type; };
template<> struct __spmd_word<long> { typedef long long type; };
template<> struct __spmd_word<unsigned long> { typedef unsigned long long type; };
__spmd_in void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed || scope == thread_scope_thread) return;
  bool is_narrow = scope == thread_scope_block;
  if (order == memory_order_release) { if (is_narrow) __spmd_release_fence_block(); else __spmd_release_fence(); }
  else if (order <= memory_order_acquire) { if (is_narrow) __spmd_acquire_fence_block(); else __spmd_acquire_fence(); }
  else if (order == memory_order_acq_rel) { if (is_narrow) __spmd_acq_rel_fence_block(); else __spmd_acq_rel_fence(); }
  else if (is_narrow) __threadfence_block();
  else __threadfence();
}
template<class T, thread_scope S = thread_scope_system> struct atomic_ref {
  typedef typename __spmd_word<T>::type word;
  T *at;
  __spmd_in explicit atomic_ref(T &object) : at(&object) {}
#define __SPMD_ATOMIC(name, update) \
  __spmd_in T name(T v, memory_order order = memory_order_seq_cst) const { \
    if constexpr (S != thread_scope_thread) __spmd_before(order, S == thread_scope_block); \
    T old = (T)(S == thread_scope_block ? update##_block((word *)at, (word)v) : S == thread_scope_device ? update((word *)at, (word)v) : update##_system((word *)at, (word)v)); \
    if constexpr (S != thread_scope_thread) __spmd_behind(order, S == thread_scope_block); \
    return old; \
  }
  __SPMD_ATOMIC(fetch_add, atomicAdd) __SPMD_ATOMIC(fetch_min, atomicMin) __SPMD_ATOMIC(fetch_max, atomicMax) __SPMD_ATOMIC(fetch_and, atomicAnd)
  __SPMD_ATOMIC(fetch_or, atomicOr) __SPMD_ATOMIC(fetch_xor, atomicXor) __SPMD_ATOMIC(exchange, atomicExch)
  __spmd_in T fetch_sub(T v, memory_order order = memory_order_seq_cst) const { return fetch_add(-v, order); }
  __spmd_in T operator+=(T v) const { return fetch_add(v) + v; }
  __spmd_in T operator-=(T v) const { return fetch_sub(v) - v; }
  __spmd_in T operator++(int) const { return fetch_add(T(1)); }
  __spmd_in T operator++() const { return fetch_add(T(1)) + T(1); }
  __spmd_in T operator--(int) const { return fetch_sub(T(1)); }
  __spmd_in bool compare_exchange_strong(T &expected, T wanted, memory_order order = memory_order_seq_cst, memory_order otherwise = memory_order_seq_cst) const {
    if constexpr (S != thread_scope_thread) __spmd_before(order, S == thread_scope_block);
    T before = (T)(S == thread_scope_block ? atomicCAS_block((word *)at, (word)expected, (word)wanted) : S == thread_scope_device ? atomicCAS((word *)at, (word)expected, (word)wanted)
      : atomicCAS_system((word *)at, (word)expected, (word)wanted));
    bool is_same = before == expected;
    expected = before;
    if constexpr (S != thread_scope_thread) __spmd_behind(is_same ? order : otherwise, S == thread_scope_block);
    return is_same;
  }
  __spmd_in T load(memory_order order = memory_order_seq_cst) const {
    T found = S == thread_scope_block ? __spmd_atomic_load_block(at) : __spmd_atomic_load(at);
    if constexpr (S != thread_scope_thread) __spmd_behind(order, S == thread_scope_block);
    return found;
  }
  __spmd_in void store(T v, memory_order order = memory_order_seq_cst) const { exchange(v, order == memory_order_seq_cst ? memory_order_release : order); }
};
}

// What stands for a function in an instance of a template that is picked: the sum of what it gets, or else the first thing. Called with
// one thing it adds that to a number of its own, as accumulators do.
struct __spmd_function {
  typedef float argument_type, first_argument_type, second_argument_type, result_type, value_type;
  float __own;
  template<class T> static __spmd_in auto __joined(const T &a, const T &b, int) -> decltype(T(a + b)) { return T(a + b); }
  template<class T, class U> static __spmd_in T __joined(const T &a, const U &, long) { return a; }
  template<class T> static __spmd_in auto __number(const T &a, int) -> decltype(float(a)) { return float(a); }
  template<class T> static __spmd_in float __number(const T &, long) { return 1; }
  template<class T> __spmd_in T operator()(const T &a) const { return a; }
  template<class T> __spmd_in T operator()(const T &a) { __own += __number(a, 0); return a; }
  __spmd_in void operator()(const __spmd_function &other) { __own += other.__own; }
  template<class T, class U, class... More> __spmd_in T operator()(const T &a, const U &b, const More &...more) const {
    T found = __joined(a, b, 0);
    if constexpr (sizeof...(More) == 0) return found; else return (*this)(found, more...);
  }
};
