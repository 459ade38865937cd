// What this tool declares of OpenCL C beside the compiler's own builtins: types, constants, annotations.
#define __opencl_c_named_address_space_builtins 1
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define __SPMD_VECTORS(T) \
  typedef T T##2 __attribute__((ext_vector_type(2))); typedef T T##3 __attribute__((ext_vector_type(3))); \
  typedef T T##4 __attribute__((ext_vector_type(4))); typedef T T##8 __attribute__((ext_vector_type(8))); \
  typedef T T##16 __attribute__((ext_vector_type(16)));
__SPMD_VECTORS(char)
__SPMD_VECTORS(uchar)
__SPMD_VECTORS(short)
__SPMD_VECTORS(ushort)
__SPMD_VECTORS(int)
__SPMD_VECTORS(uint)
__SPMD_VECTORS(long)
__SPMD_VECTORS(ulong)
__SPMD_VECTORS(float)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__SPMD_VECTORS(double)
__SPMD_VECTORS(half)
typedef uint cl_mem_fence_flags;
typedef enum memory_scope { memory_scope_work_item, memory_scope_work_group, memory_scope_device, memory_scope_all_svm_devices, memory_scope_sub_group } memory_scope;
typedef enum memory_order { memory_order_relaxed, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst } memory_order;
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define CLK_IMAGE_MEM_FENCE 4
#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE 1
#define CLK_ADDRESS_NONE 0
#define CLK_ADDRESS_CLAMP_TO_EDGE 2
#define CLK_ADDRESS_CLAMP 4
#define CLK_ADDRESS_REPEAT 6
#define CLK_FILTER_NEAREST 16
#define CLK_FILTER_LINEAR 32
#define NULL ((void*)0)
#define true 1
#define false 0
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_inff())
#define MAXFLOAT 0x1.fffffep127f
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#define CHAR_BIT 8
#define CHAR_MAX 127
#define CHAR_MIN (-128)
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
#define M_PI 3.14159265358979323846
#define M_PI_F 3.14159274101257324219f
#define M_PI_2_F 1.57079637050628662109f
#define M_E_F 2.71828174591064453125f
#define M_SQRT1_2_F 0.70710676908493041992f
#define __SPMD_AS(T, A, B) T __attribute__((overloadable)) as_##T(A); T __attribute__((overloadable)) as_##T(B); T __attribute__((overloadable)) as_##T(T);
#define __SPMD_SAME(A, B, C) __SPMD_AS(A, B, C) __SPMD_AS(B, A, C) __SPMD_AS(C, A, B)
__SPMD_SAME(int, uint, float)
__SPMD_SAME(int2, uint2, float2)
__SPMD_SAME(int3, uint3, float3)
__SPMD_SAME(int4, uint4, float4)
__SPMD_SAME(int8, uint8, float8)
__SPMD_SAME(int16, uint16, float16)
__SPMD_SAME(long, ulong, double)
__SPMD_SAME(long2, ulong2, double2)
__SPMD_SAME(long4, ulong4, double4)
__SPMD_SAME(short, ushort, half)
__SPMD_SAME(short2, ushort2, half2)
__SPMD_SAME(short4, ushort4, half4)
#define __SPMD_PAIR(A, B) A __attribute__((overloadable)) as_##A(B); B __attribute__((overloadable)) as_##B(A);
__SPMD_PAIR(char, uchar)
__SPMD_PAIR(char4, uchar4)
__SPMD_PAIR(char16, uchar16)
#define __SPMD_FROM(A, B) A __attribute__((overloadable)) as_##A(B); B __attribute__((overloadable)) as_##B(A);
__SPMD_FROM(uchar4, uint)
__SPMD_FROM(char4, int)
__SPMD_FROM(uchar4, int)
__SPMD_FROM(ushort2, uint)
__SPMD_FROM(short2, int)
__SPMD_FROM(int2, double)
__SPMD_FROM(uint2, ulong)
__SPMD_FROM(uint2, double)
__SPMD_FROM(int2, long)
__SPMD_FROM(uint4, uchar16)
int printf(__constant const char*, ...) __attribute__((format(printf, 1, 2)));
void assert(bool);
void __requires(bool);
void __ensures(bool);
void __assume(bool);
void __assert(bool);
bool __invariant(bool);
bool __implies(bool, bool);
