"""The readable classes and functions of the device headers, called in a small kernel each, against what their pages say."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run
from test_groups import launch, program

INF, NAN = math.inf, math.nan
HEAD = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp4.h>
#include <cuComplex.h>
#include <array>
#include <limits>
"""
H, B = "__float2half({})".format, "__float2bfloat16({})".format
ROWS: dict[str, float] = {
    "std::array<int, 3>{{4, 5, 6}}[1]": 5, "std::array<int, 3>{}.size()": 3, "std::array<int, 2>{{7, 8}}.data()[1]": 8,
    "std::integral_constant<int, 5>::value": 5, "(int)std::integral_constant<int, 5>{}": 5,
    "std::integral_constant<int, 5>{}()": 5,
    "std::is_same<int, int>::value + 2 * std::is_same_v<int, long>": 1,
    "std::is_same_v<std::add_pointer_t<int>, int *> + 2 * std::is_same_v<std::add_const_t<int>, int>": 1,
    "std::is_same_v<std::add_lvalue_reference_t<int>, int &>": 1, "std::is_same_v<std::add_rvalue_reference_t<int>, int &&>": 1,
    "std::make_pair(3, 4.5).second": 4.5,
    "std::min(3, 2) * 10 + std::max(3, 2)": 23, "std::clamp(9, 1, 4) + std::clamp(-3, 1, 4)": 5,
    "std::plus<int>()(3, 4)": 7, "std::minus<int>()(3, 4)": -1, "std::multiplies<int>()(3, 4)": 12, "std::less<int>()(3, 4)": 1,
    "std::greater<int>()(3, 4)": 0, "std::complex<float>(1.5f, 2.5f).real()": 1.5, "std::complex<float>(1.5f, 2.5f).imag()": 2.5,
    "std::numeric_limits<int>::max()": 2**31 - 1, "std::numeric_limits<int>::min()": -(2**31),
    "std::numeric_limits<int>::lowest()": -(2**31), "std::numeric_limits<short>::max()": 32767,
    "std::numeric_limits<unsigned char>::max()": 255, "std::numeric_limits<char>::min()": -128,
    "std::numeric_limits<bool>::max()": 1,
    "std::numeric_limits<float>::epsilon()": 2.0**-23, "std::numeric_limits<double>::epsilon()": 2.0**-52,
    "std::numeric_limits<float>::min()": 2.0**-126, "std::numeric_limits<float>::lowest()": -(2 - 2.0**-23) * 2.0**127,
    "std::numeric_limits<float>::infinity()": INF, "std::numeric_limits<float>::quiet_NaN()": NAN,
    "std::numeric_limits<float>::digits + std::numeric_limits<int>::digits": 55,
    "std::numeric_limits<float>::is_signed + std::numeric_limits<int>::is_integer * 2": 3,
    "dim3(3, 4).z": 1, "dim3(3, 4).y": 4, "dim3().x": 1, "((uint3)dim3(3, 4, 5)).z": 5, "dim3(uint3{1, 2, 3}).z": 3,
    "make_float4(1, 2, 3, 4).w": 4, "make_int2(1, 2).y": 2, "max(3, 4L)": 4, "max(-1, 2u)": 2**32 - 1, "min(1.5f, 2)": 1.5,
    "abs(-5L)": 5, "isnan(0.0f / 0.0f) + isinf(1.0f / 0.0f) * 2 + isfinite(1.0f) * 4": 7,
    "(signbit(-0.0f) ? 1 : 0) + (signbit(0.0) ? 2 : 0)": 1,
    "(modff(-2.75f, &f), f)": -2, "modff(-2.75f, &f)": -0.75, "modff(1.0f / 0.0f, &f)": 0.0, "modff(-3.0f, &f)": -0.0,
    "modf(5.25, &d)": 0.25, "(modf(-5.25, &d), d)": -5, "(sincosf(0.0f, &f, &g), f + 2 * g)": 2, "(sincos(0.0, &d, &e), e)": 1,
    "__half2float(__hadd(__float2half(1.5f), __float2half(2.25f)))": 3.75,
    "__low2float(__hmul2(__floats2half2_rn(2, 3), __floats2half2_rn(4, 5)))": 8,
    "__high2float(__hfma2(__floats2half2_rn(2, 3), __floats2half2_rn(4, 5), __float2half2_rn(1)))": 16,
    "__low2float(__lowhigh2highlow(__floats2half2_rn(2, 3)))": 3, "__high2float(__low2half2(__floats2half2_rn(2, 3)))": 2,
    "__low2float(__high2half2(__floats2half2_rn(2, 3)))": 3, "__high2float(__halves2half2((__half)2, (__half)7))": 7,
    "__half22float2(__floats2half2_rn(2, 3)).y": 3, "__high2float(__float22half2_rn(make_float2(2, 3)))": 3,
    "__high2float(-__floats2half2_rn(2, 3))": -3, "__low2float(__floats2half2_rn(9, 3) / __floats2half2_rn(2, 3))": 4.5,
    "__high2float(__floats2half2_rn(9, 3) - __floats2half2_rn(2, 5))": -2, "__half2int_rz(__float2half(-2.75f))": -2,
    "__half2float(__habs(__float2half(-0.0f)))": 0.0, "__half2float(__hneg(__float2half(0.0f)))": -0.0,
    "__half2float(__hmax(__float2half(nan), __float2half(2.0f)))": 2, "__half2float(hrint(__float2half(2.5f)))": 2,
    "__half2float(htrunc(__float2half(-2.5f))) + 10 * __half2float(hceil(__float2half(1.25f)))": 18,
    "__low2float(__hmax2(__floats2half2_rn(2, 3), __floats2half2_rn(4, 1)))": 4, "__hisnan(__float2half(nan))": 1,
    "__high2float(__hmin2(__floats2half2_rn(2, 3), __floats2half2_rn(4, 1)))": 1,
    **{f"__half2float({name}(__float2half({given})))": wanted for name, given, wanted in (
        ("hexp", 0, 1), ("hlog", 1, 0), ("hsqrt", 4, 2), ("hrsqrt", 4, 0.5), ("hlog2", 8, 3), ("hlog10", 100, 2), ("hexp2", 3, 8),
        ("hexp10", 2, 100), ("hrcp", 4, 0.25), ("hsin", 0, 0), ("hcos", 0, 1), ("htanh", 0, 0), ("hfloor", -1.5, -2))},
    **{f"__half2float(__h{name}(__float2half(7), __float2half(2)))": wanted for name, wanted in (
        ("sub", 5), ("div", 3.5), ("mul", 14), ("min", 2))},
    **{f"__high2float({name}(__floats2half2_rn(1, {given})))": wanted for name, given, wanted in (
        ("__hneg2", 3, -3), ("__habs2", -3, 3), ("h2rsqrt", 4, 0.5), ("h2exp", 0, 1), ("h2sqrt", 4, 2))},
    **{f"__high2float({name}(__floats2half2_rn(1, 7), __floats2half2_rn(1, 2)))": wanted for name, wanted in (
        ("__hadd2", 9), ("__hsub2", 5), ("__h2div", 3.5))},
    **{f"__half2float(__h{name}_rn(__float2half(7), __float2half(2)))": wanted for name, wanted in (
        ("add", 9), ("sub", 5), ("mul", 14))},
    **{f"__high2float(__h{name}2_rn(__floats2half2_rn(1, 7), __floats2half2_rn(1, 2)))": wanted for name, wanted in (
        ("add", 9), ("sub", 5), ("mul", 14))},
    **{f"__high2float({name}(__floats2half2_rn(1, {given})))": wanted for name, given, wanted in (
        ("h2log", 1, 0), ("h2rcp", 4, 0.25), ("h2exp2", 3, 8), ("h2tanh", 0, 0))},
    "__half2float(__hfma_relu(__float2half(2), __float2half(3), __float2half(-7)))": 0.0,
    "__half2float(__hfma_relu(__float2half(2), __float2half(3), __float2half(4)))": 10,
    "__hbeq2(__floats2half2_rn(1, 2), __floats2half2_rn(1, 2))": 1,
    "__hbeq2(__floats2half2_rn(1, 2), __floats2half2_rn(1, 3))": 0,
    "__high2float(__lows2half2(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4)))": 3,
    "__high2float(__highs2half2(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4)))": 4,
    "__high2float(__high2bfloat162(__floats2bfloat162_rn(2, 3)))": 3,
    "__low2float(make_bfloat162((nv_bfloat16)4, (nv_bfloat16)5))": 4,
    "__half2float(__hfma(__float2half(2), __float2half(3), __float2half(4)))": 10,
    "__bfloat162float(__hmul(__float2bfloat16(1.5f), __float2bfloat16(3.0f)))": 4.5,
    "__high2float(__floats2bfloat162_rn(2, 3) * __floats2bfloat162_rn(2, 3))": 9,
    **{f"(float)__nv_fp4_e2m1({given}f)": wanted for given, wanted in (
        ("0.25", 0), ("0.26", 0.5), ("0.75", 1), ("1.25", 1), ("1.3", 1.5), ("1.75", 2), ("2.5", 2), ("3.5", 4), ("5.0", 4),
        ("5.1", 6), ("1e9", 6), ("-0.1", -0.0), ("-7.0", -6))},
    "(float)__nv_fp4_e2m1(nan)": 6, "((float2)__nv_fp4x2_e2m1(float2{1, -3})).y": -3, "__nv_fp4x2_e2m1(float2{1, -3}).__x": 0xd2,
    "((float4)__nv_fp4x4_e2m1(float4{0.5f, 1, 2, -4})).w": -4, "__nv_fp4x4_e2m1(float4{0.5f, 1, 2, -4}).__x": 0xe421,
    "cuCrealf(cuCmulf(make_cuComplex(1, 2), make_cuComplex(3, 4)))": -5,
    "cuCimag(cuCmul(cuDoubleComplex{1, 2}, cuDoubleComplex{3, 4}))": 10,
    "cuCabs(make_cuDoubleComplex(3, -4))": 5, "cuCabsf(make_cuComplex(0, 0))": 0,
    "cuCimag(cuCdiv(cuDoubleComplex{1, 2}, cuDoubleComplex{0, 2}))": -0.5,
    "cuCrealf(cuCdivf(make_cuComplex(1, 2), make_cuComplex(0, 2)))": 1,
    "cuCimagf(cuConjf(cuCaddf(make_cuComplex(1, 2), make_cuComplex(3, 4))))": -6,
    "cuCimagf(cuCsubf(cuComplex{1, 2}, cuComplex{3, 7}))": -5, "cuComplexFloatToDouble(cuComplex{1, 2}).y": 2,
    "cuCrealf(cuCfmaf(make_cuComplex(1, 2), make_cuComplex(3, 4), make_cuComplex(5, 6)))": 0,
    "cuCimagf(cuCfmaf(make_cuComplex(1, 2), make_cuComplex(3, 4), make_cuComplex(5, 6)))": 16,
    "__high2float(__nv_bfloat162(2.0f, 3.0f))": 3, "__low2float(half2(__float2half(2), __float2half(3)))": 2,
}
RELATIONS = {"eq": (0, 1, 0, 0), "ne": (1, 0, 1, 0), "lt": (1, 0, 0, 0), "le": (1, 1, 0, 0), "gt": (0, 0, 1, 0),
             "ge": (0, 1, 1, 0)}
"""Of a half below, equal to, above another, and of one that is no number. The unordered ones hold where there is none."""
for _name, _truths in RELATIONS.items():
    for _at, (_left, _right) in enumerate((("1.0f", "2.0f"), ("2.0f", "2.0f"), ("3.0f", "2.0f"), ("nan", "2.0f"))):
        for _make in (H, B):
            ROWS[f"__h{_name}({_make(_left)}, {_make(_right)})"] = _truths[_at]
            ROWS[f"__h{_name}u({_make(_left)}, {_make(_right)})"] = 1 if _left == "nan" else _truths[_at]
        ROWS[f"__high2float(__h{_name}2(__float2half2_rn({_left}), __float2half2_rn({_right})))"] = _truths[_at]


def test_classes_and_functions_of_the_headers(tmp_path: Path) -> None:
    stores = " ".join(f"o[{at}] = (double)({text});" for at, text in enumerate(ROWS))
    setup = "float f, g, nan = __int_as_float(0x7fc00000 | threadIdx.x); double d, e;"
    made = program(f"{HEAD}__global__ void k(double *o) {{ {setup} {stores} }}", tmp_path)
    found = launch(made, (1, 1, 1)).contents("o")
    for at, (text, wanted) in enumerate(ROWS.items()):
        assert found[at] == wanted or (found[at] != found[at] and wanted != wanted), (text, found[at])
        assert math.copysign(1, found[at]) == math.copysign(1, wanted) or wanted != wanted, text


def test_every_function_of_half_precision_is_called() -> None:
    header = (ROOT / "automata" / "lang" / "stubs" / "half.h").read_text()
    names = set(re.findall(r"(?m)^  __spmd_in [HP] (_*h\w+|__\w*2\w*)\(", header))
    assert len(names) > 40
    assert not [name for name in names if f"{name}(" not in " ".join(ROWS)]


TWO = "__global__ void k(const float *x, float *out, unsigned *n) {{ int i = threadIdx.x; {} }}"
GROUPS = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
"""
UNLIKE = {
    "a maximum that keeps NaN": ("out[i] = std::max(x[i], 0.0f);", "out[i] = fmaxf(x[i], 0.0f);"),
    "a minimum of zeros": ("out[i] = std::min(-0.0f, x[i]);", "out[i] = fminf(-0.0f, x[i]);"),
    "an exact quotient": ("out[i] = fdividef(x[i], 3.0f);", "out[i] = __fdividef(x[i], 3.0f);"),
    "a fast type": ("uint_fast32_t a = 0xffffffffu; n[i] = (a + n[i]) >> 16;",
                    "unsigned a = 0xffffffffu; n[i] = (a + n[i]) >> 16;"),
    "half precision is a class": ("n[i] = std::is_floating_point<__half>::value;", "n[i] = 1;"),
    "the rank of an array": ("n[i] = std::rank<float[8][8]>::value;", "n[i] = 0;"),
    "a partition by what is the same": (
        "n[i] = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), true).meta_group_size();", "n[i] = 2;"),
    "a partition by a truth": (
        "n[i] = cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), i < 8).meta_group_rank();",
        "n[i] = i >= 8;"),
    "the last tile of a block": ("n[i] = cg::tiled_partition(cg::this_thread_block(), 32).size();", "n[i] = 32;"),
    "a tile of a smaller group": (
        "cg::thread_group t = cg::tiled_partition<8>(cg::this_thread_block()); n[i] = cg::tiled_partition(t, 16).size();",
        "n[i] = 16;"),
    "what is no number as a long": ("n[i] = (unsigned)((long long)(x[i] * 0.0f / 0.0f) >> 32);", "n[i] = 0;"),
    "a normal number takes two": ("curandState s; curand_init(1, i, 0, &s); curand_normal(&s); n[i] = curand(&s);",
                                  "curandState s; curand_init(1, i, 0, &s); curand(&s); n[i] = curand(&s);"),
    "two random draws": ("curandState s; curand_init(1, i, 0, &s); out[i] = curand_uniform_double(&s);",
                         "curandState s; curand_init(1, i, 0, &s); out[i] = curand_uniform(&s);"),
    "two generators": ("curandState s; curand_init(1, i, 0, &s); n[i] = curand(&s);",
                       "curandStatePhilox4_32_10_t s; curand_init(1, i, 0, &s); n[i] = curand(&s);"),
}


@pytest.mark.parametrize("name", UNLIKE)
def test_functions_of_the_library_that_differ_are_not_one(name: str, compared: Any) -> None:
    head = f"#include <curand_kernel.h>\n{HEAD}{GROUPS}// spmd: block=40 grid=1\n"
    record = compared(*(head + TWO.format(body) for body in UNLIKE[name]), "--mode", "bitwise")
    assert record["verdict"] in ("different", "unknown"), record


SAME_ON_A_DEVICE = {
    "__fdividef of large numbers": ("out[i] = __fdividef(1e38f, 2e38f);", "out[i] = 0.0f;"),
    "__expf": ("out[i] = __expf(x[i]);", "out[i] = exp2f(x[i] * 1.4426950216293335f);"),
    "__logf": ("out[i] = __logf(x[i]);", "out[i] = __log2f(x[i]) * 0.693147182464599609375f;"),
    "__powf": ("out[i] = __powf(x[i], 3.0f);", "out[i] = exp2f(3.0f * __log2f(x[i]));"),
    "__tanf": ("out[i] = __tanf(x[i]);", "out[i] = __fdividef(__sinf(x[i]), __cosf(x[i]));"),
}


@pytest.mark.parametrize("name", SAME_ON_A_DEVICE)
def test_values_that_the_machine_rounds_show_no_difference(name: str, compared: Any) -> None:
    """These pairs are one code on a device (CUDA C++ Programming Guide, intrinsic functions)."""
    head = f"{HEAD}// spmd: block=40 grid=1\n"
    record = compared(*(head + TWO.format(body) for body in SAME_ON_A_DEVICE[name]), "--mode", "bitwise")
    assert record["verdict"] == "unknown", record


def test_unlike_functions_differ_by_more_than_rounding(compared: Any) -> None:
    pair = ("out[i] = __expf(x[i]);", "out[i] = exp2f(x[i]);")
    record = compared(*(f"{HEAD}// spmd: block=40 grid=1\n" + TWO.format(body) for body in pair), "--mode", "bitwise")
    assert record["verdict"] == "different", record


@pytest.mark.parametrize(("one", "two"), [
    ("n[i] = __hadd(n[i] >> 1, n[i] >> 2);", "n[i] = __hadd((int)(n[i] >> 1), (int)(n[i] >> 2));"),
    ("double d = NAN; n[i] = (int)d;", "n[i] = 0x80000000u;"), ("float d = NAN; n[i] = (int)d;", "n[i] = 0;"),
    ("n[i] = __double2int_rn(NAN);", "n[i] = 0x80000000u;"), ("n[i] = __float2ll_rz(NAN) >> 32;", "n[i] = 0x80000000u;")])
def test_functions_of_the_library_that_agree(one: str, two: str, compared: Any) -> None:
    head = f"{HEAD}// spmd: block=40 grid=1\n"
    record = compared(*(head + TWO.format(body) for body in (one, two)), "--mode", "bitwise")
    assert record["verdict"] == "equal", record


def test_a_product_of_24_bits_wraps(run: Run, kernel_file: Any) -> None:
    path = kernel_file("// spmd: block=8 grid=1 b[8]\n__global__ void k(int *b) { int t = threadIdx.x; "
                       "b[__mul24(t + 8388000, 8388000) & 0 | t] = __mul24(-1, t); }")
    assert run("check", path, "--format", "jsonl").records[0]["properties"]["no-wrap"] == "proved"
    assert run("run", path, "--format", "jsonl").records[0]["findings"] == []


@pytest.mark.parametrize(("head", "index", "verdict"), [
    ("require n > 0", "__mul24(blockIdx.x, blockDim.x) + threadIdx.x", "proved"),
    ("require n > 0, n < 1000", "__mul24(n, t) + __mul24(-3, 2)", "proved"),
    ("block=64 grid=1", "__mul24(__mul24(2, 4), t)", "proved"),
    ("block=64 grid=1", "__mul24(t + (1 << 24), 1)", "proved"),
    ("block=64 grid=1", "__mul24(t << 24, 4)", "refuted"),
    ("block=64 grid=1", "__mul24(t << 23, 1)", "refuted"),
    ("block=64 grid=1", "__mul24(t, 1 << 27)", "refuted"),
    ("block=64 grid=1 require n >= 0", "__mul24(n, t)", "refuted"),
    ("block=64 grid=2", "__mul24(blockIdx.x, 32) + threadIdx.x", "refuted"),
])
def test_a_product_of_24_bits_as_an_index(head: str, index: str, verdict: str, run: Run, kernel_file: Any) -> None:
    """As far as its factors have 24 bits it is their product; bits above are cut off."""
    path = kernel_file(f"// spmd: {head}\n__global__ void k(int *b, int n) {{ int t = threadIdx.x + 0 * n; "
                       f"b[{index} + (1 << 24)] = t; }}")
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict
    assert verdict == "proved" or record["properties"]["race-free"] == "refuted"


@pytest.mark.parametrize(("body", "is_read"), [("out[i] = __ldg(&x[i]);", True), ("out[i] = 1; x[i] = __ldg(&out[i]);", False)])
def test_what_is_read_by_ldg_is_not_written(body: str, is_read: bool, run: Run, kernel_file: Any) -> None:
    path = kernel_file(f"// spmd: block=8 grid=1\n__global__ void k(float *x, float *out) {{ int i = threadIdx.x; {body} }}")
    assert (run("check", path, "--format", "jsonl").records[0]["verdict"] == "proved") == is_read
