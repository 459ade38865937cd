// What instructions of PTX compute that no function of CUDA does, in C++ (PTX ISA 8.5). `automata/lang/ptx_rows.py` writes calls of these.

template<class T, int N> struct alignas(sizeof(T) * N) __spmd_row { T v[N]; };
__spmd_in unsigned __spmd_lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  return (table & 1 ? ~a & ~b & ~c : 0u) | (table & 2 ? ~a & ~b & c : 0u) | (table & 4 ? ~a & b & ~c : 0u) | (table & 8 ? ~a & b & c : 0u)
       | (table & 16 ? a & ~b & ~c : 0u) | (table & 32 ? a & ~b & c : 0u) | (table & 64 ? a & b & ~c : 0u) | (table & 128 ? a & b & c : 0u);
}
__spmd_in unsigned __spmd_low_bits(unsigned count) { return count >= 32u ? 0xffffffffu : (1u << count) - 1u; }
__spmd_in unsigned __spmd_bfe(unsigned a, unsigned at, unsigned count) {
  at &= 255u; count &= 255u;
  return at >= 32u ? 0u : a >> at & __spmd_low_bits(count);
}
__spmd_in unsigned __spmd_bfi(unsigned a, unsigned b, unsigned at, unsigned count) {
  at &= 255u; count &= 255u;
  unsigned mask = at >= 32u ? 0u : __spmd_low_bits(count) << at;
  return (b & ~mask) | (at >= 32u ? 0u : a << at & mask);
}
__spmd_in unsigned __spmd_rni_s8(float x) { return (unsigned)(x >= 127.0f ? 127 : x <= -128.0f ? -128 : __float2int_rn(x)); }

// Two numbers in one register, the first lowest.
__spmd_in float __spmd_first_float(unsigned long long a) { return __uint_as_float((unsigned)a); }
__spmd_in float __spmd_second_float(unsigned long long a) { return __uint_as_float((unsigned)(a >> 32)); }
__spmd_in unsigned long long __spmd_floats(float a, float b) { return (unsigned long long)__float_as_uint(a) | (unsigned long long)__float_as_uint(b) << 32; }
#define __SPMD_F32X2(name, one) __spmd_in unsigned long long __spmd_##name##_f32x2(unsigned long long a, unsigned long long b) { \
  return __spmd_floats(one(__spmd_first_float(a), __spmd_first_float(b)), one(__spmd_second_float(a), __spmd_second_float(b))); }
#define __SPMD_F32X2_FMA(name, one) __spmd_in unsigned long long __spmd_##name##_f32x2(unsigned long long a, unsigned long long b, unsigned long long c) { \
  return __spmd_floats(one(__spmd_first_float(a), __spmd_first_float(b), __spmd_first_float(c)), \
                       one(__spmd_second_float(a), __spmd_second_float(b), __spmd_second_float(c))); }
__SPMD_F32X2(add, __fadd_rn) __SPMD_F32X2(sub, __fsub_rn) __SPMD_F32X2(mul, __fmul_rn) __SPMD_F32X2_FMA(fma, __fmaf_rn)
__SPMD_F32X2(add_ftz, __spmd_add_ftz) __SPMD_F32X2(sub_ftz, __spmd_sub_ftz) __SPMD_F32X2(mul_ftz, __spmd_mul_ftz) __SPMD_F32X2_FMA(fma_ftz, __spmd_fma_ftz)

#define __SPMD_PAIRS(K, H, P, AS, BITS) \
  __spmd_in P __spmd_of_##K(unsigned a) { return P{AS((unsigned short)a), AS((unsigned short)(a >> 16))}; } \
  __spmd_in unsigned __spmd_to_##K(P a) { return (unsigned)BITS(a.x) | (unsigned)BITS(a.y) << 16; } \
  __spmd_in unsigned __spmd_add_##K(unsigned a, unsigned b) { return __spmd_to_##K(__hadd2(__spmd_of_##K(a), __spmd_of_##K(b))); } \
  __spmd_in unsigned __spmd_sub_##K(unsigned a, unsigned b) { return __spmd_to_##K(__hsub2(__spmd_of_##K(a), __spmd_of_##K(b))); } \
  __spmd_in unsigned __spmd_mul_##K(unsigned a, unsigned b) { return __spmd_to_##K(__hmul2(__spmd_of_##K(a), __spmd_of_##K(b))); } \
  __spmd_in unsigned __spmd_min_##K(unsigned a, unsigned b) { return __spmd_to_##K(__hmin2(__spmd_of_##K(a), __spmd_of_##K(b))); } \
  __spmd_in unsigned __spmd_max_##K(unsigned a, unsigned b) { return __spmd_to_##K(__hmax2(__spmd_of_##K(a), __spmd_of_##K(b))); } \
  __spmd_in unsigned __spmd_fma_##K(unsigned a, unsigned b, unsigned c) { return __spmd_to_##K(__hfma2(__spmd_of_##K(a), __spmd_of_##K(b), __spmd_of_##K(c))); } \
  __spmd_in unsigned __spmd_pack_##K(float high, float low) { return __spmd_to_##K(P{(H)low, (H)high}); }
__SPMD_PAIRS(f16x2, __half, __half2, __ushort_as_half, __half_as_ushort)
__SPMD_PAIRS(bf16x2, __nv_bfloat16, __nv_bfloat162, __ushort_as_bfloat16, __bfloat16_as_ushort)
static __device__ unsigned __spmd_carry;  // of each thread its own: elaborate/kernel.py sees to that
__spmd_in unsigned __spmd_lo_32(unsigned a, unsigned b) { return a * b; }
__spmd_in unsigned __spmd_hi_32(unsigned a, unsigned b) { return __umulhi(a, b); }
__spmd_in unsigned __spmd_add_32(unsigned a, unsigned b) { return a + b; }
__device__ inline unsigned __spmd_addcc_32(unsigned a, unsigned b) { unsigned sum = a + b; __spmd_carry = sum < a; return sum; }
__device__ inline unsigned __spmd_addc_32(unsigned a, unsigned b) { return a + b + __spmd_carry; }
__device__ inline unsigned __spmd_addccc_32(unsigned a, unsigned b) {
  unsigned part = a + b, sum = part + __spmd_carry;
  __spmd_carry = part < a || sum < part;
  return sum;
}
__device__ inline unsigned __spmd_subcc_32(unsigned a, unsigned b) { __spmd_carry = a < b; return a - b; }
__device__ inline unsigned __spmd_subc_32(unsigned a, unsigned b) { return a - b - __spmd_carry; }
__device__ inline unsigned __spmd_subccc_32(unsigned a, unsigned b) {
  unsigned part = a - b, rest = part - __spmd_carry;
  __spmd_carry = a < b || part < rest;
  return rest;
}
__spmd_in unsigned long long __spmd_lo_64(unsigned long long a, unsigned long long b) { return a * b; }
__spmd_in unsigned long long __spmd_hi_64(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }
__spmd_in unsigned long long __spmd_add_64(unsigned long long a, unsigned long long b) { return a + b; }
__device__ inline unsigned long long __spmd_addcc_64(unsigned long long a, unsigned long long b) { unsigned long long sum = a + b; __spmd_carry = sum < a; return sum; }
__device__ inline unsigned long long __spmd_addc_64(unsigned long long a, unsigned long long b) { return a + b + __spmd_carry; }
__device__ inline unsigned long long __spmd_addccc_64(unsigned long long a, unsigned long long b) {
  unsigned long long part = a + b, sum = part + __spmd_carry;
  __spmd_carry = part < a || sum < part;
  return sum;
}
__device__ inline unsigned long long __spmd_subcc_64(unsigned long long a, unsigned long long b) { __spmd_carry = a < b; return a - b; }
__device__ inline unsigned long long __spmd_subc_64(unsigned long long a, unsigned long long b) { return a - b - __spmd_carry; }
__device__ inline unsigned long long __spmd_subccc_64(unsigned long long a, unsigned long long b) {
  unsigned long long part = a - b, rest = part - __spmd_carry;
  __spmd_carry = a < b || part < rest;
  return rest;
}
