"""What the mutator puts into kernels; `$i` `$n` `$t` `$o` `$e` stand for a name, number, type, operator, expression."""

from __future__ import annotations

TYPES = (
    "int", "unsigned", "unsigned int", "float", "double", "char", "short", "long", "long long", "unsigned char", "bool", "size_t",
    "void", "uint", "float4", "int2", "float2", "uchar4", "half", "int64_t", "uint8_t", "struct P", "auto", "signed char",
    "unsigned long long", "ptrdiff_t", "dim3", "__half", "const int", "volatile float", "int *", "float **", "wchar_t", "T",
)

NUMBERS = (
    "0", "1", "2", "-1", "3", "7", "16", "31", "32", "33", "64", "1024", "65536", "2147483647", "2147483648", "4294967295u",
    "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615ull", "18446744073709551616",
    "0x" + "f" * 40, "1" + "0" * 400, "1" + "0" * 5000, "0x", "08", "0777", "0b101", "0b", "1.0", "1.0f", "1e400", "1e-400f",
    "1e99999999999", "0x1p5", "0x1.8p-3f", "0x1p99999", "1.f", ".5", "1e", "1uuu", "1lll", "'a'", "'\\0'", "'\\777'", "'ab'",
    "L'x'", "''", "1'000", "0.0f", "-0.0f", "true", "false", "NAN", "INFINITY", "INT_MAX", "NULL", "nullptr",
)

OPERATORS = (
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&&", "||", "!", "~", "=", "==", "!=", "<", "<=", ">", ">=", "+=", "-=",
    "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--", "->", ".", "::", "?", ":", ",", "<=>", "->*", "##", "#", "@",
    "<<<",
)

EXPRESSIONS = (
    "($t)$e", "($t)($e)", "*($t*)$i", "*($t*)&$i", "&$i", "&$i[$e]", "*&$i", "$i[$e]", "$i[$e][$e]", "$e[$i]", "$i[-1]", "$i.x",
    "$i.w", "$i.xyzw", "$i.xx", "$i.s0", "$i.s0123", "$i.lo", "$i.hi.x", "$i->x", "(&$i)->x", "$i()", "$i($e)", "$i($e, $e, $e)",
    "($e)", "make_float4($e, $e, $e, $e)", "make_int2($e, $e).y", "make_float4($e)", "float4{1, 2, 3, 4}", "(float4)(1, 2, 3, 4)",
    "(int4)($e)", "(float4)($e, $e)", "vload4($e, $i)", "convert_int4($e)", "convert_uchar_sat($e)", "as_float($e)",
    "as_int4($e)", "(int2)(1, 2).yx", "atomicAdd(&$i[$e], $e)", "atomicAdd($i, 1)", "atomicAdd(&$i, $e)", "atomicAdd($e, $e)",
    "atomicAdd()", "atomicCAS(&$i[$e], $e, $e)", "atomicExch((int*)$i, $e)", "atomicMax(&$i[0], $i)", "atomic_add($i, $e)",
    "atomic_inc(&$i[$e])", "atom_add($i, 1)", "atomicInc(&$i[0], 7u)", "atomicSub(&$i[$e], atomicAdd(&$i[$e], 1))",
    "atomic_fetch_add($i, 1)", "atomicAnd_block(&$i[$e], 1u)", "__shfl_sync(0xffffffff, $i, $e)", "__shfl_down_sync(~0u, $e, 16)",
    "__shfl_xor_sync($i, $i, 1, $n)", "__shfl($e, 0)", "__ballot_sync(0xffffffff, $e)", "__any_sync($e, $e)",
    "__all_sync(0xffffffffu, $i > 0)", "__activemask()", "__syncthreads_count($e)", "__syncthreads_or($e)",
    "__reduce_add_sync(~0u, $e)", "__match_any_sync(~0u, $e)", "sub_group_reduce_add($e)", "work_group_all($e)",
    "__shfl_sync(0xffffffff, __shfl_sync(0xffffffff, $i, 1), $e)", "($e && __syncthreads_and($e))",
    "($e ? __shfl_sync(~0u, $i, 1) : 0)", "($e ? $e : $e)", "($e ?: $e)", "($e, $e)", "($i = $e)", "($i += $e)", "$i++", "--$i",
    "($i++ + $i++)", "sizeof($t)", "sizeof $i", "sizeof($i[0])", "alignof($t)", "offsetof(struct P, x)", "($e << 40)",
    "($e >> -1)", "(1 / 0)", "(1 % 0)", "(1.0f / 0)", "(INT_MIN / -1)", "(-2147483648 / -1)", "(-2147483647 - 1) % -1",
    "(0x8000000000000000 * $e)", "(1u - 2)", "($e * $e * $e * $e)", "min($e, $e)", "max($i, 1.0f)", "fabsf($e)", "abs($e)",
    "sqrtf($e)", "pow($e, $e)", "powf(2, $e)", "fma($e, $e, $e)", "expf()", "sin($i, $i)", "__ldg(&$i[$e])", "__ldg($i)",
    "__float_as_int($e)", "__int_as_float($e)", "__umul24($e, $e)", "__popc($e)", "__clz($e)", "__brev($e)", "__fdividef($e, $e)",
    "isnan($e)", "floorf($e)", "round($e)", "mad($e, $e, $e)", "clamp($e, $e, $e)", "mix($e, $e, $e)", "select($e, $e, $e)",
    "dot($i, $i)", "__half2float($e)", "__float2int_rn($e)", "!$e", "~$e", "-$e", "+$e", "- - -$e", "!!$e", "*$i", "**$i",
    "***$i", "&&$i", "($i && $e)", "($i || $e)", "($e == $e)", "($i != $i)", "($i < $e < $e)", "($e % $e)", "($e & $e)",
    "($i - $i)", "($i + $e)", "($e + $i)", "*($i + $e)", "*($i++)", "(&$i[$e] - $i)", "(&$i[1])[$e]", "*($e ? $i : $i)",
    "($e ? $i : $i)[$e]", "(*$i).x", "(void)$e", "(void*)$i", "(long)$i", "(int*)0", "*(int*)0", "*(float4*)&$i[$e]",
    "((float4*)$i)[$e].x", "((char*)$i)[$e]", "((struct P*)$i)->x", "(struct P){1, 2}.x", "(int[]){1, 2}[$e]",
    "_Generic($i, int: 1)", "({ int z = $e; z; })", "$i::x", "::$i", "std::min($e, $e)", "static_cast<$t>($e)",
    "reinterpret_cast<$t*>($i)[0]", "const_cast<int*>($i)", "[&](int z) { return z; }($e)", "[=] { return $e; }()", "new int[3]",
    "delete $i", "throw 1", "typeid($i)", "f<$e>($e)", "$i<$t>($e)", "this->x", "printf(\"%d\", $e)", "printf($i)", "assert($e)",
    "\"text\"", "\"a\" \"b\"[0]", "L\"w\"", "__func__", "__LINE__", "__FILE__", "__COUNTER__", "malloc(8)", "clock64()",
    "clock()", "va_arg($i, int)", "__builtin_expect($e, 1)", "__builtin_assume($e)", "threadIdx", "threadIdx.x", "threadIdx.w",
    "threadIdx.x.x", "blockIdx.y", "blockDim.z", "gridDim", "gridDim.x", "warpSize", "blockDim[0]", "get_global_id(0)",
    "get_global_id(3)", "get_local_id($i)", "get_local_size(-1)", "get_group_id()", "get_global_id", "(threadIdx.x & 0)",
    "(get_global_id(0) ? 1 : $e)", "$i $o $i", "$e $o $e", "$o $i", "$i $o", "{1, 2}", "{}", "{$e, {$e}}", "{.x = 1}",
    "{[3] = 1}", "",
)

STATEMENTS = (
    "$t v9 = $e;", "$t v9;", "$t $i;", "$t $i = $e;", "$t v8, *v7 = 0, v6[3];", "$t v9[$n];", "$t v9[$n] = {1, 2, 3};",
    "$t v9[] = {1, 2};", "$t v9[$e];", "$t v9[2][$n] = {{1}, {2}};", "$t v9[] = \"abc\";", "$t *v9 = $i;",
    "$t *v9 = &$i[$e]; *v9 = $e;", "$t **v9 = &$i; **v9 = 1;", "$t *v9 = ($t*)$i; v9[$e] = $e;",
    "$t *v9; v9 = $i; v9++; *v9 = 0;", "$t *v9 = $e ? $i : $i; v9[0] = 1;", "$t &v9 = $i; v9 = $e;", "$t v9($e);", "$t v9{$e};",
    "$t (*v9)[4] = $i; v9[0][1] = 2;", "$t (*v9)($t) = 0; v9($e);", "$t v9 = v9;", "$t v9; $i = v9;", "$t v9[4]; $i = v9[$e];",
    "$t v9[3]; for (int k = 0; k < 5; k++) v9[k] = k;", "$t v9 = {$e};", "$t v9 = {};", "const $t v9;", "static $t v9 = 0;",
    "extern $t v9;", "register $t v9 = 1;", "extern __shared__ $t v9[];", "__shared__ $t v9[$n]; v9[$e] = $e;",
    "__shared__ $t v9; v9 = 1;", "__shared__ $t v9[$n][$n];", "__shared__ $t v9 = 1;", "__shared__ $t v9[];",
    "__shared__ $t *v9; v9 = $i;", "__shared__ struct P v9[4]; v9[$e].x = 1;", "__local $t v9[$n];",
    "__local $t *v9 = $i; v9[0] = 1;", "__private $t v9 = 0;", "__constant $t v9[2] = {1, 2}; $i = v9[$e];",
    "local float v9[8]; v9[$e] = 0;", "struct Q { $t a; $t b[$n]; } q; q.a = $e; q.b[$e] = 1;",
    "struct P v9; v9.x = $e; v9.y = v9.x;", "struct P v9 = {1, 2}; $i = v9.x;", "struct P v9, v8; v9 = v8;",
    "struct P v9[2] = {{1}, {2}}; v9[$e] = v9[0];", "struct P *v9 = (struct P*)$i; v9->x = 1; v9[1].y = v9->x;",
    "struct R { struct R *next; int x; } r; r.next->x = 1;", "struct R { struct R r; }; struct R r;",
    "struct { int a; float b; } v9 = {1}; v9.b = v9.a;", "struct B { int a : 3; unsigned b : 40; } v9; v9.a = 9;",
    "struct E {} v9; v9;", "union U { int i; float f; } u; u.f = $e; $i = u.i;", "struct Z;",
    "union { $t a; $t b; } v9; v9.a = $e;", "enum E1 { A1, B1 = $e, C1 } v9 = B1; $i = C1;", "enum { $i = 3 };",
    "enum E9 v9 = 1;", "typedef $t T; T v9 = $e;", "typedef $t V[$n]; V v9;", "typedef struct { int a; } S; S v9; v9.a = 1;",
    "typedef int int;", "typedef $i $i;", "switch ($e) { case 0: $i = $e; break; case $n: case 2: break; default: $i++; }",
    "switch ($e) { case 1 }", "switch ($e) $i = 1;", "switch ($e) {}", "switch ($e) { int k; case 0: { case 1: ; } }",
    "switch ($e) { case 0: case 0: ; }", "switch ($e) { default: default: ; }", "case 3: ;", "default: ;",
    "switch ($e) { case 0: return; case 1: for (;;) { break; } continue; }",
    "switch ($e) { case $i: ; case 1.5: ; case 1 ... 3: ; }", "switch ($e) { $i = 1; case 0: if ($e) break; $i = 2; }",
    "goto done; done: ;", "goto nowhere;", "again: if ($e) goto again;", "$i: $i: ;", "done: }", "do { $i++; } while ($e);",
    "do $i = $e; while (0)", "do { if ($e) continue; break; } while ($i++ < $e);", "do ; while (1);",
    "do { $t k = 1; } while (k);", "while ($e) { $i = $e; }", "while ($i--) ;", "while (int k = $e) break;",
    "while (1) { __syncthreads(); if ($e) break; }", "while (1);", "for (;;) break;", "for (;;);",
    "for (int k = 0; k < $n; k++) $i = k;", "for (int k = $e; k < $e; k += $e) { $i[k] = $e; }", "for ($t k = 0; k < 9; ++k) ;",
    "for (int k = 0, m = 9; k < m; k++, m--) $i = m;", "for (int k = 0; k < 1000000; k++) $i += k;",
    "for (int k = 0; k < 100; k++) for (int m = 0; m < 100; m++) for (int n = 0; n < 100; n++) $i = n;",
    "for (unsigned k = 9; k >= 0; k--) $i = k;", "for (int k = 1; k; k <<= 1) $i = k;",
    "for (float k = 0; k < 1; k += 0.1f) $i = k;", "for (auto k : $i) ;", "for (int k = 0; k < 10; k++) { int k = 5; $i = k; }",
    "for (int k = 0; k != 7; k += 2) $i = k;", "for (int k = 0; k < 4; k++) { if ($e) continue; if ($e) break; return; }",
    "for (__shared__ int k = 0; k < 2; k++) ;", "for (; $e; ) { $i = 1; break; }", "for (int k = 0; k < 4; ) { k++; continue; }",
    "for (int k = 0; k < 2; k++, __syncthreads()) ;", "break;", "continue;", "return;", "return $e;", "return return;",
    "if ($e) return;", "if ($e) ; else ;", "if ($e) if ($e) ; else $i = 1;", "else $i = 1;", "if ($e) { int k = 1; } $i = k;",
    "if (int k = $e; k) ;", "if constexpr ($e) ;", "if () ;", "if ($e) __syncthreads();", "if ($e) { return; } __syncthreads();",
    "__syncthreads();", "__syncthreads", "__syncthreads(1);", "__syncwarp();", "__syncwarp($e);", "__threadfence();",
    "__threadfence_block();", "barrier($e);", "barrier(CLK_LOCAL_MEM_FENCE);",
    "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", "barrier(CLK_GLOBAL_MEM_FENCE + 1);", "barrier();", "mem_fence($e);",
    "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);", "cooperative_groups::this_thread_block().sync();",
    "__syncthreads(), __syncthreads();", "atomicAdd(&$i[$e], $e);", "atomicAdd($i, $e);",
    "$i = atomicAdd(&$i[$e], $e) + atomicAdd(&$i[0], 1);", "atomicMin(&$i[$e], atomicMax(&$i[$e], $e));",
    "$i = __shfl_down_sync(0xffffffff, $i, $n);", "$i[__shfl_sync(~0u, $i, 0)] = $e;", "while (atomicCAS(&$i[0], 0, 1) != 0) ;",
    "__nanosleep(100);", "__trap();", "memcpy($i, $i, $n);", "memcpy(&$i[$e], &$i[$e], 3);", "memcpy(&$i, $i, sizeof($i));",
    "memcpy($i, $i, sizeof(float) * $e);", "memset($i, 0, $n);", "memset(&$i, 255, 7);", "memcpy();", "memcpy($i, $i + 1, -1);",
    "float v9[3]; memcpy(v9, $i, 12);", "int v9; memcpy(&v9, &$i[$e], 5);", "memmove($i, $i, 4);",
    "__pipeline_memcpy_async(&$i[$e], &$i[$e], $n); __pipeline_commit(); __pipeline_wait_prior($n);",
    "__pipeline_wait_prior($e);", "async_work_group_copy($i, $i, 4, 0);", "float4 v9 = $i[$e]; $i[$e] = v9.x;",
    "float4 v9; v9.x = 1; v9.yz = v9.zy; $i = v9.w;", "float4 v9 = make_float4($e, $e, $e, $e); $i[$e] = v9;",
    "int2 v9 = {1, 2}; v9 += v9;", "float4 v9 = *(float4*)&$i[$e]; *(float4*)$i = v9;",
    "((float4*)$i)[$e] = make_float4(1, 2, 3, 4);", "((int2*)$i)[0].x++;", "float4 v9 = (float4)(1); v9.s3 = $e;",
    "vstore4($i, 0, $i);", "float3 v9 = vload3($e, $i); vstore3(v9.zyx, $e, $i);", "uchar4 v9; v9.x = 300; $i = v9.x;",
    "float4 v9[2]; v9[$e].y = v9[1].x;", "float4 v9; float *v8 = &v9.x; v8[$e] = 1;", "helper($e);", "$i = helper($e, $e);",
    "$i($i);", "rec($e);", "recur($e, $i);", "pp($i, &$i);", "swap9(&$i, &$i);", "set9($i, $e);", "$i = sum9($i, 4);",
    "early9($i, $e);", "bar9();", "int nested(int a) { return a; } $i = nested(1);",
    "auto lam = [&](int a) { return a + $e; }; $i = lam($e);", "using T = $t; T v9 = 1;", "using namespace std;",
    "template <int N> void t();", "$i = $e;", "$i[$e] = $e;", "$i[$e] += $e;", "$i[$e]++;", "*$i = $e;", "*$i++ = $e;",
    "$i += $e;", "$i <<= $e;", "$i /= 0;", "$i %= $e;", "$i = $i = $e;", "$i = $e, $i = $e;", "$e = $e;", "$e;",
    "($e ? $i : $i) = 1;", "($i) = $e;", "-$i = 1;", "$i + 1 = 2;", "\"x\"[0] = 1;", "5 = $i;", "&$i = 0;", "(int)$i = 1;",
    "++$i++;", "$i.x = $e;", "$i->y = $e;", "threadIdx.x = 1;", "blockDim = $e;", "asm(\"nop\");",
    "asm volatile(\"bar.sync 0;\" ::: \"memory\");", "__asm__(\"x\" : \"=r\"($i) : \"r\"($e));", "#pragma unroll",
    "\n#pragma unroll 4\n", "\n#pragma once\n", "__builtin_unreachable();", "_Pragma(\"unroll\")", "try { } catch (...) { }",
    "static_assert($e, \"x\");", "_Static_assert($e, \"x\");", "_Static_assert(0);", "__assume($e);", "assert($e);",
    "assert($i = 1);", "printf(\"%d %f\\n\", $e, $e);", ";;;;", "{", "}", "{}", "{ $t $i = $e; { $t $i = $e; } }", "$i;", "$n;",
    "$t;", "__attribute__((unused)) int v9;", "[[maybe_unused]] int v9 = 1;", "__restrict__ int v9;", "const const int v9 = 1;",
    "\nM9($e);\n", "M9", "REC9($e)", "CAT9($i, $e)", "STR9($e)", "VAR9($e, $e)", "BAD9(", "kern9<<<1, $e>>>($i);",
    "cudaDeviceSynchronize();", "__launch_bounds__(3) int v9;", "int v9 = 1; int v9 = 2;", "int $i, $i;",
)

FILE_LEVEL = (
    "struct P { $t x; $t y; };", "struct P { int x, y; struct { int z; }; };", "struct P { float x[$n]; int y; } g9;",
    "struct P;", "struct P { struct P *x; int y; };", "typedef struct { float x, y; } P;", "struct P { $t x; $t y : 3; };",
    "union P { int x; float y; };", "enum P { x9, y9 = $n, z9 = y9 + 1, w9 = -1 };", "enum class P : int { A };",
    "class P { public: int x; P() {} };", "template <typename T> __device__ T t9(T a) { return a; }",
    "template <int N> struct T9 { enum { v = N }; };", "namespace n9 { int x; }", "using namespace std;", "using T = $t;",
    "extern \"C\" {", "__device__ int helper(int a, int b) { return a $o b; }", "__device__ $t helper($t a) { return a + $e; }",
    "__device__ void helper(int a) { if (a) return; helper(a - 1); }", "static inline int helper(int a) { }",
    "__device__ int rec(int a) { return a < 2 ? a : rec(a - 1) + rec(a - 2); }",
    "__device__ int rec(int a); __device__ int rec2(int a) { return rec(a); } __device__ int rec(int a) { return rec2(a); }",
    "void recur(int a, float *p) { p[a] = 1; recur(a + 1, p + 1); }",
    "__device__ void pp(float *p, float **q) { *q = p; **q = 1; }",
    "__device__ void swap9(int *a, int *b) { int t = *a; *a = *b; *b = t; }",
    "__device__ void set9(float *p, int v) { *p = v; p[1] = v; p += 2; *p++ = 3; }",
    "__device__ float sum9(const float *p, int n) { float s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }",
    "__device__ int early9(int a, int b) { for (;;) { if (a) return b; if (b) break; a++; } return 0; }",
    "__device__ void bar9() { __syncthreads(); }", "__device__ int &ref9(int *p) { return *p; }",
    "__device__ int noret9(int a) { if (a) return 1; }", "__device__ void ret9() { return 1; }",
    "__device__ int var9(int a, ...) { return a; }", "__device__ int kr9(a) int a; { return a; }", "int proto9(int);",
    "int f9(void) { return 1; }", "__global__ void kern9() {}", "__global__ void kern9($t *p, $t n) { p[threadIdx.x] = n; }",
    "__global__ int kern9() { return 1; }", "__global__ void kern9();", "__global__ void", "__global__",
    "__kernel void kern9(__global $t *p) { p[get_global_id(0)] = $e; }", "__kernel void kern9(int *p) {}",
    "__kernel __attribute__((reqd_work_group_size($n, 1, 1))) void kern9(__global int *p) { p[0] = 1; }",
    "__global__ void __launch_bounds__($n, $n) kern9(int *p) { *p = 1; }",
    "__global__ void kern9(struct P p, float4 q, int r[3], int *s[2], int (*t)[4], void *u, ...) {}",
    "__global__ void kern9(int, float *) {}", "__global__ void kern9(int a, int a) {}",
    "__global__ void kern9(const int *__restrict__ p, int &q, int &&r) {}",
    "__global__ void kern9(float p[], $t q[$n][$n]) { q[1][2] = p[0]; }", "__global__ void kern9($t p = 3) {}",
    "__constant__ $t c9[$n];", "__constant__ $t c9 = $e;", "__constant__ $t c9[3] = {1, 2, 3, 4};", "__device__ $t d9[$n];",
    "__device__ $t d9;", "const $t k9 = $e;", "const int k9[2][2] = {{1, 2}, {3}};", "static const $t k9[] = {$n, $n};",
    "constexpr int k9 = $e;", "$t g9;", "$t g9 = $e;", "__shared__ $t s9[$n];", "extern __shared__ $t s9[];",
    "__managed__ int m9;", "texture<float> tex;", "volatile $t g9;", "typedef $t T;", "typedef $t T[$n];", "typedef T T;",
    "typedef int (*fp9)(int);", "typedef unsigned uint; typedef uint u9;", "int a9, *b9, c9[2];", "int;", ";", "int x9 = ;",
    "#define M9(x) x x", "#define M9", "#define REC9(x) REC9(x + 1)", "#define REC9(x) REC8(x)\n#define REC8(x) REC9(x)",
    "#define CAT9(a, b) a ## b", "#define STR9(x) #x", "#define VAR9(...) f(__VA_ARGS__)", "#define BAD9(x",
    "#define BAD9(x, x) x", "#define $i $i", "#define $i $e", "#define $i($i) $e", "#define $i", "#define $t $t",
    "#define int float", "#define ( )", "#define __global__", "#define __global__ __device__", "#define for while", "#define if",
    "#define $i(...) __VA_ARGS__ __VA_ARGS__", "#undef $i", "#undef __global__", "#define X9 #", "#define Y9 X9 define Z 1\nY9",
    "#define CAT9 ##", "#if $e", "#if 0", "#if 1", "#ifdef $i", "#ifndef $i", "#elif 1", "#else", "#endif", "#if $e\n#endif",
    "#if $i($e)\n#endif", "#if defined\n#endif", "#if (1\n#endif", "#if 1 / 0\n#endif", "#if 1 ? 2\n#endif", "#error stop",
    "#warning hm", "#line 7 \"other.cu\"", "#line 99999999999999999999", "#line x", "# 33 \"abc\" 1", "#include \"case.cu\"",
    "#include \"case.cl\"", "#include <stdio.h>", "#include <cuda_runtime.h>", "#include \"\"", "#include <>", "#include",
    "#include \"no\\such", "#include \"/etc/passwd\"", "#include \"/dev/zero\"", "#include \"/dev/stdin\"", "#include \"..\"",
    "#include \".\"", "#include \"board.h\"", "#include \"../../../../../etc/hosts\"", "#include \"a\0b.h\"",
    "#include \"\xe9\xff.h\"", "#include " + '"' + "x" * 5000 + '.h"', "#include $i", "#include \"%s%n.h\"", "#include <a",
    "#include \"a", "#import \"case.cu\"", "#include_next \"board.h\"", "#pragma once",
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable", "#pragma", "#", "# # #", "#!bin", "#\\\n define Q 1", "// spmd: $e",
    "// launch: $e", "// requires: $e", "// requires $e", "//@ $e", "int main() { kern9<<<$e, $e>>>($i); }",
    "int main() { $i<<<1, $n>>>($i, $e); return 0; }", "void host() { dim3 g($n, $n), b($e); $i<<<g, b, $n>>>($i); }",
)

ANYWHERE = (
    "/*", "*/", "/* /* */", "//", "// \\\n", "\"", "'", "\"\\", "R\"(", "R\"x(abc)y\"", "\\", "\\\n", "\\ \n", "\0", "\0\0\0",
    "\xff", "\xfe\xff", "\xe9\xa9", "\xc3\xa9", "\xef\xbb\xbf", "\x01", "\x1b[31m", "\x7f", "\x80", "\x0c", "\x0b", "\r", "\r\n",
    "\r\r", "\x1a", "\xa0", "\xc2\xa0", "\xe2\x80\xa8", "`", "@", "$", "$$", "\\u0041", "\\u00e9x", "??/", "??=", "<%", "%:",
    "<:", "(", ")", "[", "]", "{", "}", "((", "))", "{{{", "}}}", "#", "##", "\n#define ", "\n#if ", "\n#endif\n", "\n#else\n",
    "\n#include \"case.cu\"\n", "\n#\n", "...", "::", "->", "<<<", ">>>", "<<<>>>", "?", ":", "?:", ",", ",,", ";", "==", "= =",
    "template<", "operator", "struct", "union {", "enum", "typedef", "sizeof", "goto", "else", "case", "default:", "const",
    "volatile", "register", "inline", "_Atomic", "_Bool", "_Complex", "_Alignas(8)", "_Thread_local", "__attribute__((",
    "__attribute__((aligned(16)))", "__declspec(x)", "__global__", "__device__", "__host__", "__shared__", "__kernel", "__global",
    "__local", "__constant", "__private", "__launch_bounds__(", "__noinline__", "extern \"C\"", "void", "int", "$t", "$i", "$n",
    "$o", "$e", " " * 3000, "\n" * 3000, "x" * 20000, "(" * 300, ")" * 300, "{" * 300, "[" * 300, "+" * 3000, "-" * 500,
    "*" * 500, "!" * 500, "~" * 500, "&" * 500, "1," * 3000, "a." * 500, "\"a\" " * 500, "int " * 300, "const " * 500,
    "if(1)" * 300, "else " * 300, ";" * 5000, "{}" * 2000, "/**/" * 3000, "\\\n" * 3000,
)

FURNITURE = ("li", "lf", "lu", "la", "lp", "lq", "lr", "ls", "lm", "lc", "ll", "lb")

CUDA_HELPERS = """struct P { int x; float y; int z[2]; };
__device__ int helper(int a, int b) { if (a) return b; return a + b; }
__device__ void set9(float *p, int v) { *p = v; p += 2; *p++ = 3; }
__device__ float sum9(const float *p, int n) { float s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
__device__ int early9(int a, int b) { for (;;) { if (a) return b; if (b) break; a++; } return 0; }
__device__ struct P make9(int a) { struct P p; p.x = a; p.y = 2; return p; }
__device__ void swap9(int *a, int *b) { int t = *a; *a = *b; *b = t; }
__constant__ float c9[4];"""
CUDA_LOCALS = (
    "int li = threadIdx.x; float lf = 1; unsigned lu = 3; float la[4] = {1, 2}; struct P lp = {1, 2}; "
    "float4 lq = make_float4(1, 2, 3, 4); struct P lr[2]; __shared__ int ls[64]; __shared__ float lm[4][8]; "
    "char lc = 2; long long ll = 5; bool lb = 1;"
)
OPENCL_HELPERS = """struct P { int x; float y; int z[2]; };
int helper(int a, int b) { if (a) return b; return a + b; }
float sum9(const float *p, int n) { float s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
void set9(__global float *p, int v) { *p = v; p += 2; *p++ = 3; }
__constant float c9[4] = {1, 2, 3, 4};"""
OPENCL_LOCALS = (
    "int li = get_global_id(0); float lf = 1; uint lu = 3; float la[4] = {1, 2}; struct P lp = {1, 2}; "
    "float4 lq = (float4)(1, 2, 3, 4); struct P lr[2]; __local int ls[64]; __local float lm[4][8]; "
    "char lc = 2; long ll = 5; bool lb = 1;"
)
