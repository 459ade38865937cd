"""What must never be called equal, and in which class its good twin is: pairs that one mechanism each would get wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run
from test_at_launch import kernel

from automata.lang.read import Frontend, find_kernels
from automata.scalar import F32
from equivalence.domains.field import INF, MINUS_INF, NAN, REAL
from equivalence.domains.symbols import Symbols
from equivalence.gate import KEPT

EXACTLY = ((), ("--certify",))
FLOATS, LONGS = "const float *x, const float *y, float *out", "const long long *p, const float *w, long long *out"
MASK = "float h = i > 3 ? INFINITY : 0.0f; "
COUNT = "int c = 0; float s = 0; for (int j = 0; j < 8; j++) if (x[j] > y[i]) {{ c++; s += x[j]; }} out[i] = {};"
Row = tuple[str, str, str, str, str | None]
"""A name, parameters, a body on each side, and the class that is true; None: they differ, or nothing is said."""

INFINITIES: list[Row] = [
    ("taken_away", FLOATS, "out[i] = fmaxf(y[i], x[i] - h);", "out[i] = fmaxf(y[i], x[i] + h);", None),
    ("negated", FLOATS, "out[i] = fmaxf(x[i], -h);", "out[i] = fmaxf(x[i], h);", None),
    ("from_zero", FLOATS, "out[i] = fminf(x[i], 0.0f - h);", "out[i] = fminf(x[i], h);", None),
    ("compared", FLOATS, "out[i] = y[i] < x[i] - h ? 1.0f : 2.0f;", "out[i] = y[i] < x[i] + h ? 1.0f : 2.0f;", None),
    ("in_an_exponent", FLOATS, "out[i] = expf(x[i] - h);", "out[i] = expf(x[i] + h);", None),
    ("times_minus_one", FLOATS, "out[i] = fmaxf(x[i], h * -1.0f);", "out[i] = fmaxf(x[i], h);", None),
    ("in_a_root", FLOATS, "out[i] = sqrtf(x[i] - h);", "out[i] = sqrtf(x[i] + h);", None),
    ("stored", FLOATS, "out[i] = INFINITY - (y[i] - x[i]);", "out[i] = (x[i] - y[i]) - INFINITY;", None),
    ("as_an_integer", FLOATS, "out[i] = (int)(x[i] - h);", "out[i] = (int)(x[i] + h);", None),
    ("added_with_its_sign", FLOATS, "out[i] = fmaxf(y[i], x[i] - h);", "h = -h; out[i] = fmaxf(y[i], x[i] + h);", "real"),
    ("of_an_exponential", FLOATS, "out[i] = expf(x[i] - h);", "out[i] = i > 3 ? 0.0f : expf(x[i]);", "real-exp-max"),
    ("stored_alike", FLOATS, "h = INFINITY; out[i] = x[i] - h;", "out[i] = -INFINITY;", "real"),
]
WIDTHS: list[Row] = [
    ("narrowed", LONGS, "out[i] = w[(int)p[i]];", "out[i] = w[p[i]];", None),
    ("short", LONGS, "out[i] = w[(short)p[i]];", "out[i] = w[(int)p[i]];", None),
    ("unsigned_char", LONGS, "out[i] = w[(unsigned char)p[i]];", "out[i] = w[(signed char)p[i]];", None),
    ("unsigned", LONGS, "out[i] = w[(unsigned)p[i]];", "out[i] = w[(int)p[i]];", None),
    ("sum_in_int", LONGS, "out[i] = w[(int)p[i] + 1ll];", "out[i] = w[p[i] + 1];", None),
    ("shift", LONGS, "out[i] = p[i] >> 1;", "out[i] = (int)p[i] >> 1;", None),
    ("less", LONGS, "out[i] = p[i] < 5;", "out[i] = (int)p[i] < 5;", None),
    ("less_unsigned", LONGS, "out[i] = (unsigned long long)p[i] > 5ull;", "out[i] = p[i] > 5;", None),
    ("quotient", LONGS, "out[i] = p[i] / 3;", "out[i] = (int)p[i] / 3;", None),
    ("least", LONGS, "out[i] = min(p[i], 5ll);", "out[i] = min((int)p[i], 5);", None),
    ("truth", LONGS, "out[i] = p[i] ? 1 : 0;", "out[i] = (int)p[i] ? 1 : 0;", None),
    ("through_float", LONGS, "out[i] = (long long)(float)p[i];", "out[i] = p[i];", None),
    ("widened", LONGS, "out[i] = (long long)((int)p[i] * (int)p[0]);", "out[i] = (long long)(int)p[i] * (int)p[0];", None),
    ("sign_of_the_narrow", LONGS, "out[i] = (unsigned)p[i];", "out[i] = (int)p[i];", None),
    ("count_of_bits", LONGS, "out[i] = __popcll(p[i]);", "out[i] = __popc(p[i]);", None),
    ("same_width", LONGS, "int r = p[i]; out[i] = w[r + 1];", "out[i] = w[(int)(p[i] + 1)];", "int"),
    ("masked", LONGS, "out[i] = p[i] & 255;", "out[i] = (int)p[i] & 255;", "int"),
    ("eight_bits_wrap", LONGS, "out[i] = (unsigned char)(p[i] + 256);", "out[i] = (unsigned char)p[i];", "int"),
]
DOMAINS: list[Row] = [
    ("logarithms", FLOATS, "out[i] = logf(x[i]) - logf(x[i]);", "out[i] = 0.0f;", None),
    ("roots", FLOATS, "out[i] = sqrtf(x[i]) / sqrtf(x[i]);", "out[i] = 1.0f;", None),
    ("arc", FLOATS, "out[i] = acosf(2.0f * x[i]) * 0.0f;", "out[i] = 0.0f;", None),
    ("power", FLOATS, "out[i] = __powf(x[i], 2.0f);", "out[i] = powf(x[i], 2.0f);", None),
    ("counts_cancel", FLOATS, COUNT.format("s / c * c"), COUNT.format("s"), None),
    ("count_over_itself", FLOATS, COUNT.format("(float)c / c"), COUNT.format("1.0f"), None),
    ("guarded_count", FLOATS, COUNT.format("s / c"), COUNT.format("c ? s / c : 0.0f"), None),
]
ROUNDED: list[Row] = [
    ("both_at_once", FLOATS, "float s, c; sincosf(x[i], &s, &c); out[i] = s;", "out[i] = sinf(x[i]);", "real"),
    ("near_sine", FLOATS, "out[i] = __sinf(x[i]);", "out[i] = sinf(x[i]);", "real"),
    ("maximum", FLOATS, "out[i] = max(x[i], y[i]);", "out[i] = fmaxf(x[i], y[i]);", "bitwise"),
    ("fraction", FLOATS, "float w; out[i] = modff(x[i], &w);", "out[i] = x[i] - truncf(x[i]);", None),
    ("to_half_and_back", FLOATS, "out[i] = (float)(__half)x[i];", "out[i] = x[i];", "real"),
    ("absolute_half", "const __half *x, __half *out", "out[i] = __habs(x[i]);", "out[i] = (__half)fabsf((float)x[i]);", "real"),
    ("fused_half", "const __half *x, __half *out", "out[i] = __hfma(x[i], x[0], x[1]);",
     "out[i] = (__half)fmaf((float)x[i], (float)x[0], (float)x[1]);", "real"),
    ("exponential_half", "const __half *x, __half *out", "out[i] = hexp(x[i]);", "out[i] = (__half)expf((float)x[i]);", "real"),
    ("rounded_to_even", FLOATS, "out[i] = roundf(x[i]);", "out[i] = rintf(x[i]);", None),
    ("minus_zero", FLOATS, "out[i] = 0.0f - x[i];", "out[i] = -x[i];", "real"),
]
PLAIN = WIDTHS + DOMAINS + ROUNDED
ROWS = [pytest.param(head, *row[1:], options, id="-".join([row[0], *options]))
        for options in EXACTLY for head, rows in (("", PLAIN[::2] if options else PLAIN), (MASK, INFINITIES)) for row in rows]
"""Of those without infinities every second one exactly, too."""


@pytest.mark.parametrize(("head", "parameters", "a", "b", "kind", "options"), ROWS)
def test_class_is_one_that_holds(compared: Any, head: str, parameters: str, a: str, b: str, kind: str | None,
                                 options: tuple[str, ...]) -> None:
    texts = ("#include <cuda_fp16.h>\n" + kernel("block=8 grid=1", parameters, head + body) for body in (a, b))
    record = compared(*texts, *options)
    assert record["verdict"] in (("different", "unknown") if kind is None else ("equal",)), record
    assert record.get("class") == kind


OPENCL: list[tuple[str, str, str, str | None]] = [
    ("float", "out[i] = native_powr(x[i], 2.0f);", "out[i] = pow(x[i], 2.0f);", None),
    ("float", "out[i] = powr(x[i], y[i]);", "out[i] = pow(x[i], y[i]);", None),
    ("float", "out[i] = half_powr(x[i], y[i]);", "out[i] = powr(x[i], y[i]);", "real"),
    ("float", "out[i] = max(x[i], y[i]);", "out[i] = fmax(x[i], y[i]);", "real"),
    ("float", "out[i] = clamp(x[i], 0.0f, 1.0f);", "out[i] = fmin(fmax(x[i], 0.0f), 1.0f);", "bitwise"),
    ("float", "float c; out[i] = sincos(x[i], &c);", "out[i] = sin(x[i]);", "real"),
    ("float", "out[i] = mad(x[i], y[i], 1.0f);", "out[i] = fma(x[i], y[i], 1.0f);", "real"),
    ("long", "long v = (int)x[i]; out[i] = max(v, 9007199254740993L);",
     "long v = (int)x[i]; out[i] = 9007199254740993L < v ? v : 9007199254740993L;", "bitwise"),
    ("int", "out[i] = convert_int_sat(x[i]);", "out[i] = (int)x[i];", None),
    ("int", "out[i] = convert_int_sat_rte(x[i]);", "out[i] = convert_int_sat(x[i]);", None),
]


@pytest.mark.parametrize(("result", "a", "b", "kind"), OPENCL)
def test_class_of_opencl_is_one_that_holds(run: Run, tmp_path: Path, result: str, a: str, b: str, kind: str | None) -> None:
    for name, body in (("a", a), ("b", b)):
        (tmp_path / f"{name}.cl").write_text(
            "// spmd: block=8 grid=1\n__kernel void k(__global const float *x, __global const float *y, "
            f"__global {result} *out) {{ int i = get_global_id(0); {body} }}\n")
    record = run("equiv", tmp_path / "a.cl", tmp_path / "b.cl", "--format", "jsonl").records[0]
    assert record["verdict"] in (("different", "unknown") if kind is None else ("equal",)), record
    assert record.get("class") == kind


def test_dialects_are_said_to_round_alike(run: Run, tmp_path: Path) -> None:
    body = "out[i] = sqrt(x[i]) / 3.0f;"
    (tmp_path / "a.cu").write_text(kernel("block=8 grid=1", "const float *x, float *out", body))
    (tmp_path / "b.cl").write_text("// spmd: block=8 grid=1\n__kernel void k(__global const float *x, __global float *out) { "
                                   f"int i = get_global_id(0); {body} }}\n")
    record = run("equiv", tmp_path / "a.cu", tmp_path / "b.cl", "--format", "jsonl").records[0]
    assert record["verdict"] == "equal"
    assert "quotients and functions of floats round alike in CUDA and OpenCL" in record["assumptions"]


@pytest.mark.parametrize(("a", "b", "options", "wanted"), [
    ("out[i] = __fdividef(x[i], y[i]);", "out[i] = x[i] / y[i];", (),
     "approximate functions are what they approximate (a: line 2)"),
    (COUNT.format("s / c"), COUNT.format("s * (1.0f / c)"), (), "no divisor is zero (a: line 2; b: line 2)"),
    (COUNT.format("s / c"), COUNT.format("s * (1.0f / c)"), ("--certify",), "no divisor is zero (a: line 2; b: line 2)"),
    ("out[i] = x[i] / y[i] * y[i];", "out[i] = x[i];", ("--relate", "b.out[k] == a.out[k]"), "no divisor is zero (a: line 2)"),
    ("out[i] = sqrtf(x[i]) * 2.0f;", "out[i] = sqrtf(x[i]) + sqrtf(x[i]);", (),
     "roots, logarithms and the like are of numbers that they are defined for (a: line 2; b: line 2)"),
])
def test_equality_states_what_it_rests_on(compared: Any, a: str, b: str, options: tuple[str, ...], wanted: str) -> None:
    record = compared(*(kernel("block=8 grid=1 out[8]", FLOATS, body) for body in (a, b)), *options)
    assert record["verdict"] == "equal" and wanted in record["assumptions"], record


@pytest.mark.parametrize(("a", "b", "is_said"), [
    ("out[i] += x[i];", "atomicAdd(&out[i], x[i]);", True),
    ("atomicAdd(&out[i], x[i]);", "atomicAdd(out + i, x[i]);", False),
    ("out[i] = x[i] + y[i];", "__shared__ float s[8]; s[i] = x[i]; atomicAdd(&s[i], y[i]); out[i] = s[i];", False),
])
def test_atomic_additions_on_one_side_alone_are_assumed_to_keep_subnormal_numbers(
        compared: Any, a: str, b: str, is_said: bool) -> None:
    record = compared(*(kernel("block=8 grid=1 out[8]", FLOATS, body) for body in (a, b)))
    assert record["verdict"] == "equal" and (KEPT in record["assumptions"]) is is_said


POLE = "float c = 0; for (int j = 0; j < 4; j++) c += {} > 1e6f; out[i] = 1000.0f * x[i] * x[i] + 1e5f + {};"


@pytest.mark.parametrize(("read", "verdict"), [("x[(i + j) % 8]", "different"), ("2e6f + x[(i + j) % 8]", "equal")])
def test_a_zero_divisor_that_rounding_would_hide_is_seen(compared: Any, read: str, verdict: str) -> None:
    """0/0 where nothing is counted, lost in a maximum, and then a hundredth of a per cent of the sum."""
    rests = "fmaxf(y[i] * (c / c), -9.0f)", "fmaxf(y[i], -9.0f)"
    record = compared(*(kernel("block=8 grid=1 out[8]", FLOATS, POLE.format(read, rest)) for rest in rests))
    assert record["verdict"] == verdict, record


def test_what_is_too_long_to_try_is_noted(compared: Any) -> None:
    bodies = ("out[i] = sqrtf(x[i]) + sqrtf(x[i]);", "out[i] = 2.0f * sqrtf(x[i]);")
    record = compared(*(kernel("block=256 grid=2048", FLOATS, body) for body in bodies))
    assert record["verdict"] == "equal" and any("was not tried on numbers: there are too many threads" in note
                                                for note in record["notes"])


def test_infinities_subtract_with_their_signs() -> None:
    symbols = Symbols(REAL, "a", 1)
    values = np.array([np.inf, -np.inf, np.nan, 2.0])
    words = symbols.words(symbols.lift(values, F32))
    with np.errstate(invalid="ignore"):
        right = {"-": values[:, None] - values, "+": values[:, None] + values, "*": values[:, None] * values}
    for op, expected in right.items():
        for row in range(4):
            found = symbols.ring(op, np.repeat(words[row:row + 1], 4, axis=0), words)[:, 0]
            for code, want in zip(found, expected[row], strict=True):
                known = {INF: np.inf, MINUS_INF: -np.inf}.get(code)
                assert code == NAN if np.isnan(want) else known == want or code == NAN or np.isfinite(want)
                assert known is None or known == want


# -- variables of files ---------------------------------------------------------------------------------------


RECORD = "struct S { float v; constexpr S(float a) : v(a) {} __device__ float operator[](int) const { return v; } };\n"
TOGETHER = "t at file level hold the same before both kernels"
INITIAL = [
    ("__device__ float t[2] = {1, 2};", "__device__ float t[2] = {1, 3};", None),
    ("__constant__ float t[2] = {1, 2};", "__constant__ float t[2] = {1, 3};", None),
    ("#define V 2\n__constant__ float t[2] = {V, V};", "#define V 3\n__constant__ float t[2] = {V, V};", None),
    ("static __device__ float t[2] = {1, 2};", "static __device__ float t[2] = {1, 3};", None),
    (RECORD + "__device__ S t(2.0f);", RECORD + "__device__ S t(3.0f);", None),
    ("__constant__ float t[2] = {1, 2};", "__constant__ float t[2] = {1, 2};", TOGETHER),
    ("__constant__ float t[2] = {1, 2};", "__constant__ float t[2];", TOGETHER),
    ("__constant__ float t[2] = {1, 2};", "__constant__ float t[2] = {7, 2};",
     "t: initialised differently on the two sides, and the host sets nothing else"),
]


@pytest.mark.parametrize("options", EXACTLY, ids=("probably", "exactly"))
@pytest.mark.parametrize(("a", "b", "assumed"), INITIAL)
def test_variables_hold_what_initialises_them(compared: Any, a: str, b: str, assumed: str | None,
                                              options: tuple[str, ...]) -> None:
    record = compared(*(f"{text}\n" + kernel("block=8 grid=1", FLOATS, "out[i] = x[i] * t[1];") for text in (a, b)), *options)
    if assumed is None:
        assert record["verdict"] in ("different", "unknown"), record
    else:
        assert record["verdict"] == "equal" and assumed in record["assumptions"]


def test_variables_that_are_written_and_initialised_differently_are_refused(compared: Any) -> None:
    body = "out[i] = t[i]; t[i] = x[i];"
    record = compared(*(f"__device__ float t[8] = {{{value}}};\n" + kernel("block=8 grid=1", FLOATS, body) for value in (1, 2)))
    assert record["verdict"] == "unknown" and "'t', which a kernel writes, initialised differently" in record["reason"]


@pytest.mark.parametrize(("table", "verdict", "assumed"), [
    ("__device__ float t[2];", "equal", TOGETHER),
    ("__device__ int t[2];", "different", None),
    ("__device__ float other[2];\n#define t other", "different", None),
])
def test_a_parameter_is_a_variable_of_its_name(compared: Any, table: str, verdict: str, assumed: str | None) -> None:
    """What a table at file level holds may be handed over instead: assumed aloud, whichever side does so."""
    of_file = f"{table}\n" + kernel("block=8 grid=1", FLOATS, "out[i] = x[i] * t[1];")
    handed = kernel("block=8 grid=1", FLOATS + ", const float *t", "out[i] = x[i] * t[1];")
    found = [compared(*sides) for sides in ((of_file, handed), (handed, of_file))]
    if "int" in table:
        found = found[1:]  # where a's variable is of another type than b's parameter there is nothing to pair
    for record in found:
        assert record["verdict"] == verdict and (assumed is None or assumed in record["assumptions"]), record


VARIABLE, LAUNCH = "__device__ float t[8];\n", "// spmd: block=8 grid=1\n"
FIRST = LAUNCH + "__global__ void first(const float *x) { t[threadIdx.x] = x[threadIdx.x]; }\n"
SECOND = LAUNCH + "__global__ void second(float *out) { out[threadIdx.x] = t[threadIdx.x]; }\n"
TABLE = "__constant__ float c[2];\n"
SCALES = LAUNCH + "__global__ void first(const float *x, float *s) { s[threadIdx.x] = x[threadIdx.x] * c[0]; }\n"
SCALES_AGAIN = LAUNCH + "__global__ void second(const float *s, float *out) { out[threadIdx.x] = s[threadIdx.x] * c[1]; }\n"
ALIKE = "b: c: each file has its own, and all hold the same"


@pytest.mark.parametrize(("one", "two", "together", "verdict", "assumed"), [
    ("static " + VARIABLE + FIRST, "static " + VARIABLE + SECOND, VARIABLE + FIRST + SECOND, "different", None),
    (VARIABLE + FIRST, VARIABLE + SECOND, VARIABLE + FIRST + SECOND, "different", None),
    (VARIABLE + FIRST, "extern " + VARIABLE + SECOND, VARIABLE + FIRST + SECOND, "equal", None),
    ("extern " + VARIABLE + FIRST, VARIABLE + SECOND, "static " + VARIABLE + FIRST + SECOND, "equal", None),
    (FIRST.replace("*x)", "*x, float *t)"), VARIABLE + SECOND, VARIABLE + FIRST + SECOND, "different", None),
    (TABLE + SCALES, TABLE + SCALES_AGAIN, TABLE + SCALES + SCALES_AGAIN, "equal", ALIKE),
    (TABLE.replace(";", " = {1, 2};") + SCALES, TABLE.replace(";", " = {1, 3};") + SCALES_AGAIN, TABLE + SCALES + SCALES_AGAIN,
     "different", None),
])
def test_each_file_of_a_sequence_has_its_own_variables(run: Run, tmp_path: Path, one: str, two: str, together: str, verdict: str,
                                                       assumed: str | None) -> None:
    for name, text in (("one", one), ("two", two), ("both", together)):
        (tmp_path / f"{name}.cu").write_text(text)
    record = run("equiv", f"{tmp_path}/both.cu:first;second", f"{tmp_path}/one.cu:first;{tmp_path}/two.cu:second", "--format",
                 "jsonl").records[0]
    assert record["verdict"] == verdict, record
    assert assumed is None or assumed in record["assumptions"]


def test_a_later_kernels_table_is_the_same_as_the_other_sides(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.cu").write_text(TABLE + SCALES.replace("* c[0]", "* 2") + SCALES_AGAIN)
    whole = "__global__ void k(const float *x, float *out) { out[threadIdx.x] = x[threadIdx.x] * 2 * c[1]; }\n"
    (tmp_path / "one.cu").write_text(TABLE + LAUNCH + whole)
    sides = f"{tmp_path}/two.cu:first;second", f"{tmp_path}/one.cu:k"
    for pair in (sides, sides[::-1]):
        record = run("equiv", *pair, "--format", "jsonl").records[0]
        assert (record["verdict"], record.get("class")) == ("equal", "bitwise"), record
        assert "c at file level hold the same before both kernels" in record["assumptions"]


# -- sizes at which nothing is launched -----------------------------------------------------------------------


@pytest.mark.parametrize(("grid_a", "grid_b", "require", "wanted"), [
    ("n/32", "n/32", "", ["n/32 >= 1"]), ("n/32", "(n+31)/32", " require n % 32 == 0", ["n/32 >= 1", "(n+31)/32 >= 1"]),
    ("(n+31)/32", "(n+31)/32", " require n > 0", []), ("(n+31)/32", "(n+31)/32", "", ["(n+31)/32 >= 1"]),
    ("n/32", "n/32", " require n >= 32", []), ("n/32+1", "n/32+1", " require n >= 0", []),
])
def test_scope_names_sizes_without_a_launch(compared: Any, grid_a: str, grid_b: str, require: str, wanted: list[str]) -> None:
    texts = [kernel(f"block=32 grid={grid}{require}", "const float *x, float *out, int n", "if (i < n) out[i] = x[i];")
             for grid in (grid_a, grid_b)]
    record = compared(*texts)
    assert record["verdict"] == "equal", record
    assert [part for part in record["scope"].removeprefix("all sizes under ").split(", ") if part.endswith(" >= 1")] == wanted


# -- launches that no memory holds ----------------------------------------------------------------------------


def test_launches_that_no_memory_holds_are_refused(compared: Any) -> None:
    bodies = ("out[i] = sinf(x[i]) * cosf(x[i]);", "out[i] = 0.5f * sinf(2.0f * x[i]);")  # no law proves it for a symbolic thread
    record = compared(*(kernel("block=1024 grid=2097151", "const float *x, float *out", body) for body in bodies), "--certify")
    assert record["verdict"] == "unknown" and "threads; runs on symbols take up to" in record["reason"], record


@pytest.mark.parametrize(("text", "initial", "external"), [
    ("__device__ float t[2] = {1};", (1.0, 0.0), False), ("__constant__ float t[2] = {1.5f * 2, 2};", (3.0, 2.0), False),
    ("extern __device__ float t[2];", None, True), ("static __device__ float t[2];", None, False),
    ("extern __device__ float t[2];\n__device__ float t[2] = {4, 1 << 2};", (4.0, 4.0), False),
])
def test_both_front_ends_read_what_variables_hold_at_first(kernel_file: Any, text: str, initial: tuple[float, ...] | None,
                                                           external: bool) -> None:
    path = kernel_file(f"{text}\n" + kernel("block=8 grid=1", "float *out", "out[i] = t[1];"))
    frontends: tuple[Frontend, ...] = ("c", "clang")
    for frontend in frontends:
        array = find_kernels(str(path), frontend=frontend)[0].read().array("t")
        assert (array.initial, array.external) == (initial, external)


# -- layouts, types and names of several kernels -------------------------------------------------------------

LAYOUTS = {
    "fields in another order": ("float v; int id;", "int id; float v;"), "padding": ("char c; float v;", "float v; char c;"),
    "one more field": ("float v; int id;", "float v; int id; int more;"),
    "nested": ("int id; float v;", "struct { int a, b; } id; float v;"),
    "an array before": ("float v; double d;", "double d; float v;"), "a vector": ("float2 p; float v;", "float4 p; float v;"),
}


@pytest.mark.parametrize("flags", [(), ("--certify",)], ids=["plain", "certify"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_structures_of_another_layout_are_not_the_same_input(name: str, flags: tuple[str, ...], compared: Any) -> None:
    one, two = (f"struct S {{ {fields} }};\n// spmd: block=8 grid=1\n__global__ void k(const S *x, float *out) {{ "
                "out[threadIdx.x] = x[threadIdx.x].v; }" for fields in LAYOUTS[name])
    record = compared(one, two, *flags)
    assert record["verdict"] == "different" or "their structures differ" in record["reason"], record
    assert compared(one, one, *flags)["verdict"] == "equal"


def _sequence(run: Run, tmp_path: Path, a: str, b: str, *flags: str) -> dict[str, Any]:
    for name, text in (("a", a), ("b", b)):
        (tmp_path / f"{name}.cu").write_text(text)
    sides = [f"{tmp_path}/{name}.cu:k0;{tmp_path}/{name}.cu:k1" for name in "ab"]
    record: dict[str, Any] = run("equiv", *sides, "--format", "jsonl", *flags).records[0]
    return record


FIRST = "// spmd: block=8 grid=1\n__global__ void k0(const float *x, float *o) { o[threadIdx.x] = x[threadIdx.x]; }\n"


@pytest.mark.parametrize(("one", "two"), [("short", "int"), ("float", "int"), ("int", "unsigned"), ("double", "float")])
def test_later_kernels_of_a_sequence_have_the_same_types(one: str, two: str, run: Run, tmp_path: Path) -> None:
    a, b = (f"{FIRST}// spmd: block=8 grid=1\n__global__ void k1(const {kind} *w, {kind} *out) {{ "
            "out[threadIdx.x] = w[threadIdx.x] + w[threadIdx.x]; }\n" for kind in (one, two))
    record = _sequence(run, tmp_path, a, b)
    assert record["verdict"] == "invalid" and "'w' holds" in record["reason"], record
    assert _sequence(run, tmp_path, a, a)["verdict"] == "equal"


def test_a_structure_passed_between_kernels_has_one_layout(run: Run, tmp_path: Path) -> None:
    text = """struct P { float v; int id; }; struct Q { int id; float v; };
    // spmd: block=8 grid=1
    __global__ void k0(const float *x, P *p) { p[threadIdx.x].v = x[threadIdx.x]; p[threadIdx.x].id = 1; }
    // spmd: block=8 grid=1
    __global__ void k1(const %s *p, float *out) { out[threadIdx.x] = p[threadIdx.x].v; }
    """
    record = _sequence(run, tmp_path, text % "Q", text % "Q")
    assert record["verdict"] == "invalid" and "their structures differ" in record["reason"], record
    assert _sequence(run, tmp_path, text % "P", text % "P")["verdict"] == "equal"


@pytest.mark.parametrize("names", ["w=v", "nosuch=v", "v=nosuch", "x=w"])
def test_names_that_a_sequence_cannot_map_are_refused(names: str, run: Run, tmp_path: Path) -> None:
    text = FIRST + ("// spmd: block=8 grid=1\n__global__ void k1(const float *w, const float *v, float *out) { "
                    "out[threadIdx.x] = w[threadIdx.x] - v[threadIdx.x]; }\n")
    assert _sequence(run, tmp_path, text, text, "--map", names)["verdict"] == "invalid"


@pytest.mark.parametrize("body", [
    "unsigned s = 0; for (int j = 0; j < 40; j++) if (x[j] > 3) s += 1; out[i] = s / 3u;",
    "unsigned s = 0; for (int j = 0; j < 40; j++) s = s * s + x[j]; out[i] = s / 3u;",
])
def test_values_that_share_their_parts_are_walked_once(body: str, run: Run, kernel_file: Any) -> None:
    head = "// spmd: block=8 grid=1\n__global__ void k(const int *x, unsigned *out) { int i = threadIdx.x; "
    path = kernel_file(head + body + " }")
    assert run("check", path, "--format", "jsonl").records[0]["properties"]["race-free"] == "proved"


SHIFTED = "int q = x[i] + 1; y[i] = q > 0 && q <= 16 ? x[q - 1] : 7 + (q < 0);"
PLAIN_INDEX = "y[i] = x[i] >= 0 && x[i] < 16 ? x[x[i]] : 7 + (x[i] < {});"
NO_WRAP = "` does not wrap in int"


@pytest.mark.parametrize(("head", "params"), [("block=8 grid=2 x[16] y[16]", ""),
                                              ("block=8 grid=(n+7)/8 x[16] y[n] require n >= 1, n <= 16", ", int n")])
@pytest.mark.parametrize(("least", "verdict"), [("-1", "equal"), ("0", "different")])
def test_a_difference_rests_on_no_overflow_that_is_assumed_away(compared: Any, head: str, params: str, least: str,
                                                                verdict: str) -> None:
    """At the greatest integer x + 1 wraps, and the two differ; that it does not is what the check of a assumes."""
    texts = (f"// spmd: {head}\n__global__ void k(const int *x, int *y{params}) {{ int i = blockIdx.x * 8 + threadIdx.x; "
             f"{'if (i >= n) return; ' if params else ''}{body} }}\n" for body in (SHIFTED, PLAIN_INDEX.format(least)))
    record = compared(*texts)
    assert record["verdict"] == verdict and any(NO_WRAP in text for text in record["assumptions"])
    if verdict == "different":
        assert "2147483647" not in str(record["counterexample"]["inputs"])
