// Half precision: the scalar types are the compiler's own, pairs are records. All of it is there in every text, so are the guards of
// the headers that declare it.
#define __CUDA_FP16_H__ 1
#define __CUDA_BF16_H__ 1
#define __CUDA_FP8_H__ 1

struct __align__(4) __half2 { __half x, y; __half2() = default; __spmd_in constexpr __half2(__half a, __half b) : x(a), y(b) {} };
struct __align__(4) __nv_bfloat162 { __nv_bfloat16 x, y; __nv_bfloat162() = default; __spmd_in constexpr __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {} };
typedef __half2 half2;
typedef __half2 nv_half2;
typedef __nv_bfloat162 nv_bfloat162;
struct __half_raw { unsigned short x; __spmd_in operator __half() const; };
struct __half2_raw { unsigned short x, y; __spmd_in operator __half2() const; };
struct __nv_bfloat16_raw { unsigned short x; __spmd_in operator __nv_bfloat16() const; };
struct __nv_bfloat162_raw { unsigned short x, y; __spmd_in operator __nv_bfloat162() const; };
#define CUDART_ZERO_FP16 ((__half)0)
#define CUDART_ONE_FP16 ((__half)1)

#define __SPMD_HALF(H, P, TO, FROM, OFTWO, TOTWO) \
  __spmd_in H __hadd(H a, H b) { return a + b; } \
  __spmd_in H __hsub(H a, H b) { return a - b; } \
  __spmd_in H __hmul(H a, H b) { return a * b; } \
  __spmd_in H __hdiv(H a, H b) { return a / b; } \
  __spmd_in H __hneg(H a) { return -a; } \
  __spmd_in H __habs(H a) { return __spmd_half_fabs(a); } \
  __spmd_in H __hfma(H a, H b, H c) { return __spmd_half_fma(a, b, c); } \
  __spmd_in H __hmax(H a, H b) { return (H)fmaxf((float)a, (float)b); } \
  __spmd_in H __hmin(H a, H b) { return (H)fminf((float)a, (float)b); } \
  __spmd_in bool __heq(H a, H b) { return a == b; } \
  __spmd_in bool __hne(H a, H b) { return a < b || b < a; } \
  __spmd_in bool __hequ(H a, H b) { return !(a < b || b < a); } \
  __spmd_in bool __hneu(H a, H b) { return a != b; } \
  __spmd_in bool __hltu(H a, H b) { return !(a >= b); } \
  __spmd_in bool __hleu(H a, H b) { return !(a > b); } \
  __spmd_in bool __hgtu(H a, H b) { return !(a <= b); } \
  __spmd_in bool __hgeu(H a, H b) { return !(a < b); } \
  __spmd_in bool __hlt(H a, H b) { return a < b; } \
  __spmd_in bool __hle(H a, H b) { return a <= b; } \
  __spmd_in bool __hgt(H a, H b) { return a > b; } \
  __spmd_in bool __hge(H a, H b) { return a >= b; } \
  __spmd_in bool __hisnan(H a) { return a != a; } \
  __spmd_in H hexp(H a) { return __spmd_half_exp(a); } \
  __spmd_in H hlog(H a) { return __spmd_half_log(a); } \
  __spmd_in H hsqrt(H a) { return (H)sqrtf((float)a); } \
  __spmd_in H hrsqrt(H a) { return __spmd_half_rsqrt(a); } \
  __spmd_in H hlog2(H a) { return __spmd_half_log2(a); } \
  __spmd_in H hlog10(H a) { return __spmd_half_log10(a); } \
  __spmd_in H hexp2(H a) { return __spmd_half_exp2(a); } \
  __spmd_in H hexp10(H a) { return __spmd_half_exp10(a); } \
  __spmd_in H htrunc(H a) { return (H)truncf((float)a); } \
  __spmd_in H hrint(H a) { return (H)rintf((float)a); } \
  __spmd_in H hrcp(H a) { return (H)(1.0f / (float)a); } \
  __spmd_in H hsin(H a) { return __spmd_half_sin(a); } \
  __spmd_in H hcos(H a) { return __spmd_half_cos(a); } \
  __spmd_in H htanh(H a) { return __spmd_half_tanh(a); } \
  __spmd_in H hfloor(H a) { return (H)floorf((float)a); } \
  __spmd_in H hceil(H a) { return (H)ceilf((float)a); } \
  __spmd_in P __hadd2(P a, P b) { return P{a.x + b.x, a.y + b.y}; } \
  __spmd_in P __hsub2(P a, P b) { return P{a.x - b.x, a.y - b.y}; } \
  __spmd_in P __hmul2(P a, P b) { return P{a.x * b.x, a.y * b.y}; } \
  __spmd_in P __h2div(P a, P b) { return P{a.x / b.x, a.y / b.y}; } \
  __spmd_in P __hneg2(P a) { return P{-a.x, -a.y}; } \
  __spmd_in P __hfma2(P a, P b, P c) { return P{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; } \
  __spmd_in P __hmax2(P a, P b) { return P{__hmax(a.x, b.x), __hmax(a.y, b.y)}; } \
  __spmd_in P __hmin2(P a, P b) { return P{__hmin(a.x, b.x), __hmin(a.y, b.y)}; } \
  __spmd_in P __habs2(P a) { return P{__habs(a.x), __habs(a.y)}; } \
  __spmd_in P __hlt2(P a, P b) { return P{(H)(a.x < b.x), (H)(a.y < b.y)}; } \
  __spmd_in P __hgt2(P a, P b) { return P{(H)(a.x > b.x), (H)(a.y > b.y)}; } \
  __spmd_in P __hle2(P a, P b) { return P{(H)(a.x <= b.x), (H)(a.y <= b.y)}; } \
  __spmd_in P __hge2(P a, P b) { return P{(H)(a.x >= b.x), (H)(a.y >= b.y)}; } \
  __spmd_in P __heq2(P a, P b) { return P{(H)(a.x == b.x), (H)(a.y == b.y)}; } \
  __spmd_in P __hne2(P a, P b) { return P{(H)__hne(a.x, b.x), (H)__hne(a.y, b.y)}; } \
  __spmd_in P atomicAdd(P* p, P b) { P old; old.x = atomicAdd(&p->x, b.x); old.y = atomicAdd(&p->y, b.y); return old; } \
  __spmd_in P __shfl_down_sync(unsigned m, P v, unsigned d, int w = 32) { return P{__shfl_down_sync(m, v.x, d, w), __shfl_down_sync(m, v.y, d, w)}; } \
  __spmd_in P __shfl_xor_sync(unsigned m, P v, int d, int w = 32) { return P{__shfl_xor_sync(m, v.x, d, w), __shfl_xor_sync(m, v.y, d, w)}; } \
  __spmd_in P __shfl_sync(unsigned m, P v, int d, int w = 32) { return P{__shfl_sync(m, v.x, d, w), __shfl_sync(m, v.y, d, w)}; } \
  __spmd_in P __shfl_up_sync(unsigned m, P v, unsigned d, int w = 32) { return P{__shfl_up_sync(m, v.x, d, w), __shfl_up_sync(m, v.y, d, w)}; } \
  __spmd_in H __hadd_rn(H a, H b) { return a + b; } \
  __spmd_in H __hsub_rn(H a, H b) { return a - b; } \
  __spmd_in H __hmul_rn(H a, H b) { return a * b; } \
  __spmd_in P __hadd2_rn(P a, P b) { return __hadd2(a, b); } \
  __spmd_in P __hsub2_rn(P a, P b) { return __hsub2(a, b); } \
  __spmd_in P __hmul2_rn(P a, P b) { return __hmul2(a, b); } \
  __spmd_in H __hfma_relu(H a, H b, H c) { H d = __hfma(a, b, c); return d > (H)0.0f ? d : d != d ? d : (H)0.0f; } \
  __spmd_in bool __hbeq2(P a, P b) { return a.x == b.x && a.y == b.y; } \
  __spmd_in P h2log(P a) { return P{hlog(a.x), hlog(a.y)}; } \
  __spmd_in P h2rcp(P a) { return P{hrcp(a.x), hrcp(a.y)}; } \
  __spmd_in P h2exp2(P a) { return P{hexp2(a.x), hexp2(a.y)}; } \
  __spmd_in P h2tanh(P a) { return P{htanh(a.x), htanh(a.y)}; } \
  __spmd_in P h2rsqrt(P a) { return P{hrsqrt(a.x), hrsqrt(a.y)}; } \
  __spmd_in P h2exp(P a) { return P{hexp(a.x), hexp(a.y)}; } \
  __spmd_in P h2sqrt(P a) { return P{hsqrt(a.x), hsqrt(a.y)}; } \
  __spmd_in P operator+(const P& a, const P& b) { return __hadd2(a, b); } \
  __spmd_in P operator-(const P& a, const P& b) { return __hsub2(a, b); } \
  __spmd_in P operator*(const P& a, const P& b) { return __hmul2(a, b); } \
  __spmd_in P operator/(const P& a, const P& b) { return __h2div(a, b); } \
  __spmd_in P operator-(const P& a) { return __hneg2(a); } \
  __spmd_in P& operator+=(P& a, const P& b) { a = __hadd2(a, b); return a; } \
  __spmd_in P& operator-=(P& a, const P& b) { a = __hsub2(a, b); return a; } \
  __spmd_in P& operator*=(P& a, const P& b) { a = __hmul2(a, b); return a; } \
  __spmd_in float2 OFTWO(P a) { return float2{(float)a.x, (float)a.y}; } \
  __spmd_in P TOTWO(float2 a) { return P{(H)a.x, (H)a.y}; } \
  __spmd_in float __low2float(P a) { return (float)a.x; } \
  __spmd_in float __high2float(P a) { return (float)a.y; }
__SPMD_HALF(__half, __half2, __float2half, __half2float, __half22float2, __float22half2_rn)
__SPMD_HALF(__nv_bfloat16, __nv_bfloat162, __float2bfloat16, __bfloat162float, __bfloat1622float2, __float22bfloat162_rn)
__spmd_in __half __low2half(__half2 a) { return a.x; }
__spmd_in __half __high2half(__half2 a) { return a.y; }
__spmd_in __half2 __halves2half2(__half a, __half b) { return __half2{a, b}; }
__spmd_in __half2 make_half2(__half a, __half b) { return __half2{a, b}; }
__spmd_in __half2 __half2half2(__half a) { return __half2{a, a}; }
__spmd_in __half2 __float2half2_rn(float a) { return __half2{(__half)a, (__half)a}; }
__spmd_in __half2 __floats2half2_rn(float a, float b) { return __half2{(__half)a, (__half)b}; }
__spmd_in __half2 __lowhigh2highlow(__half2 a) { return __half2{a.y, a.x}; }
__spmd_in __half2 __low2half2(__half2 a) { return __half2{a.x, a.x}; }
__spmd_in __half2 __high2half2(__half2 a) { return __half2{a.y, a.y}; }
__spmd_in __half2 __lows2half2(__half2 a, __half2 b) { return __half2{a.x, b.x}; }
__spmd_in __half2 __highs2half2(__half2 a, __half2 b) { return __half2{a.y, b.y}; }
__spmd_in __half __short2half_rn(short a) { return (__half)a; }
__spmd_in __half __ushort2half_rn(unsigned short a) { return (__half)a; }
__spmd_in __half __ll2half_rn(long long a) { return (__half)a; }
__spmd_in short __half2short_rz(__half a) { return (short)a; }
__spmd_in unsigned short __half2ushort_rz(__half a) { return (unsigned short)a; }
__spmd_in int __hisinf(__half a) { return (float)a == INFINITY ? 1 : (float)a == -INFINITY ? -1 : 0; }
__spmd_in __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
__spmd_in __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
__spmd_in __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162{a.x, a.x}; }
__spmd_in __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162{a.y, a.y}; }
__spmd_in __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162{a, b}; }
__spmd_in __nv_bfloat162 __float2bfloat162_rn(float a) { return __nv_bfloat162{(__nv_bfloat16)a, (__nv_bfloat16)a}; }
__spmd_in __nv_bfloat16 __uint2bfloat16_rn(unsigned a) { return (__nv_bfloat16)a; }
__spmd_in int __bfloat162int_rz(__nv_bfloat16 a) { return (int)a; }
__spmd_in __half __int2half_rn(int a) { return (__half)a; }
__spmd_in __half __uint2half_rn(unsigned a) { return (__half)a; }
__spmd_in __half __double2half(double a) { return (__half)a; }
__spmd_in int __half2int_rz(__half a) { return (int)a; }
__spmd_in unsigned __half2uint_rz(__half a) { return (unsigned)a; }
__spmd_in __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162{a, b}; }
__spmd_in __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162{a, a}; }
__spmd_in __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162{(__nv_bfloat16)a, (__nv_bfloat16)b}; }
__spmd_in __nv_bfloat16 __double2bfloat16(double a) { return (__nv_bfloat16)a; }
__spmd_in __nv_bfloat16 __int2bfloat16_rn(int a) { return (__nv_bfloat16)a; }
// Integers of another type than int are integers here too.
__spmd_in int __hadd(unsigned a, unsigned b) { return __hadd((int)a, (int)b); }
__spmd_in int __rhadd(unsigned a, unsigned b) { return __rhadd((int)a, (int)b); }
#define __SPMD_WHOLE_OF(H, NAME, MODE) \
  __spmd_in int __##NAME##2int_##MODE(H a) { return __float2int_##MODE((float)a); } \
  __spmd_in unsigned __##NAME##2uint_##MODE(H a) { return __float2uint_##MODE((float)a); } \
  __spmd_in long long __##NAME##2ll_##MODE(H a) { return __float2ll_##MODE((float)a); }
__SPMD_WHOLE_OF(__half, half, rn) __SPMD_WHOLE_OF(__half, half, rd) __SPMD_WHOLE_OF(__half, half, ru)
__SPMD_WHOLE_OF(__nv_bfloat16, bfloat16, rn) __SPMD_WHOLE_OF(__nv_bfloat16, bfloat16, rd) __SPMD_WHOLE_OF(__nv_bfloat16, bfloat16, ru)
// The bits of a number, as it stands in memory.
__spmd_in __half_raw::operator __half() const { return __ushort_as_half(x); }
__spmd_in __half2_raw::operator __half2() const { return __half2{__ushort_as_half(x), __ushort_as_half(y)}; }
__spmd_in __nv_bfloat16_raw::operator __nv_bfloat16() const { return __ushort_as_bfloat16(x); }
__spmd_in __nv_bfloat162_raw::operator __nv_bfloat162() const { return __nv_bfloat162{__ushort_as_bfloat16(x), __ushort_as_bfloat16(y)}; }
