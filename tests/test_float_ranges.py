"""Ranges of floats, from which indices are cut. What a range says is held against compiled C++, on edges and random numbers."""

from __future__ import annotations

import math
import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from automata import arithmetic
from automata.logic import terms as T
from automata.logic.float_ranges import FloatRanges
from automata.logic.terms import Owner, Term
from automata.scalar import F32, F64, I32, Scalar

KERNEL = """
__global__ void look(const {kind} *in, const int *where, float *out, int n) {{
  __shared__ float table[{size}];
  for (int i = threadIdx.x; i < {size}; i += blockDim.x) table[i] = i;
  __syncthreads();
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n) return;
  {kind} x = in[at];
  int w = where[at];
  {index}
  out[at] = table[k];
}}
"""
INSIDE = [
    ("float", 256, "int k = (int)(fminf(fmaxf(x, 0.f), 1.f) * 255.f);"),
    ("float", 256, "int k = (int)(fmaxf(fminf(x, 1.f), 0.f) * 255.f);"),
    ("float", 256, "int k = (int)(__saturatef(x) * 255.f);"),
    ("float", 256, "x = x < 0.f ? 0.f : x; x = x > 1.f ? 1.f : x; int k = (int)(x * 255.f);"),
    ("float", 256, "if (x < 0.f) x = 0.f; else if (x > 255.f) x = 255.f; int k = (int)x;"),
    ("double", 256, "int k = (int)(fmin(fmax(x, 0.), 1.) * 255.);"),
    ("double", 256, "x = !(x >= 0.) ? 0. : x; x = x > 1. ? 1. : x; int k = (int)(x * 255.);"),
    ("float", 9, "int k = (int)floorf(8.f * (x - floorf(x)));"),
    ("float", 55, "int k = (int)((atan2f(x, 2.f * x) / 3.14159274f + 1.f) / 2.f * 54.f);"),
    ("float", 21, "int k = (int)(10.f + 10.f * sinf(x));"),
    ("float", 12, "int k = __float2int_rn(fabsf(tanhf(x)) * 10.6f);"),
    ("float", 101, "int k = (int)(fminf(fabsf(x), 50.f) * 2.f);"),
    ("float", 11, "int k = (int)((float)(w & 7) / 7.f * 10.f);"),
    ("float", 5, "int k = (int)sqrtf((float)(w & 15) + 1.f);"),
    ("float", 5, "int k = (int)(sqrtf(fminf(fmaxf(x, 4.f), 35.f)) - 1.f);"),
    ("float", 9, "float p = -0.25f * x; int k = (int)(8.f * (p - floorf(p)));"),
    ("float", 9, "float p = x / 4.f; int k = (int)(8.f * (p - floorf(p)));"),
    ("float", 9, "float p = x * x + 3.f; int k = (int)(8.f * (p - floorf(p)));"),  # the sum is rounded, fused or not
    ("float", 9, "float p = sinf(x) * 43758.5453f; int k = (int)(8.f * (p - floorf(p)));"),
    ("float", 256, "float p = x * x; p = p > 255.f ? 255.f : p; p = p < 0.f ? 0.f : p; int k = (int)(p + 0.5f);"),
]
FRACTION = "int k = (int)(8.f * (p - floorf(p)));"
OUTSIDE = [
    ("float", 256, "int k = (int)(fminf(fmaxf(x, 0.f), 1.f) * 256.f);"),
    ("float", 256, "int k = (int)(fminf(x, 1.f) * 255.f);"),
    ("float", 256, "int k = (int)(fmaxf(x, 0.f) * 255.f);"),
    ("float", 255, "int k = (int)(__saturatef(x) * 255.f);"),
    ("double", 256, "x = x < 0. ? 0. : x; x = x > 1. ? 1. : x; int k = (int)(x * 255.);"),  # NaN becomes the least int
    ("float", 256, "if (x > 255.f) x = 0.f; else if (x < 0.f) x = 255.f; int k = (int)(x * 2.f);"),
    ("float", 8, "int k = (int)floorf(8.f * (x - floorf(x)));"),  # 1 - 1e-20 is 1
    ("double", 9, "int k = (int)floor(8. * (x - floor(x)));"),  # infinities
    ("double", 9, "int k = (int)floorf(8.f * (float)(x - floorf((float)x)));"),  # a float is far from a large double
    ("float", 20, "int k = (int)(10.f + 10.f * sinf(x));"),
    ("float", 4, "int k = (int)sqrtf((float)(w & 15) + 1.f);"),
    ("float", 6, "int k = (int)sqrtf(fminf(x, 35.f));"),  # NaN below zero
    ("float", 4, "int k = (int)(sqrtf(fminf(fmaxf(x, 4.f), 35.f)) - 1.f);"),
    ("float", 11, "int k = __float2int_rn(fabsf(tanhf(x)) * 10.6f);"),
    ("float", 10, "int k = (int)((float)(w & 7) / 7.f * 10.f);"),
    ("float", 256, "x = x < 0.f ? x : 0.f; int k = (int)x + 3;"),
    # A product that is fused with the sum is far from the floor of what it is rounded to.
    ("float", 9, "float p = x * x; " + FRACTION),
    ("float", 9, "float p = -(x * x); " + FRACTION),
    ("float", 9, "float p = x * 2.f; " + FRACTION),
    ("float", 9, "float p = x / 0.5f; " + FRACTION),
    ("float", 9, "float p = w ? x * x : x; " + FRACTION),
    ("float", 9, "float p = x * x - 0.f; " + FRACTION),
    ("float", 9, "float a[2]; a[w & 1] = x * x; float p = a[w & 1]; " + FRACTION),
    ("float", 9, "out[at] = x * x; float p = out[at]; " + FRACTION),
    ("float", 9, "float p = x; for (int i = 0; i < n; i++) p = p * x; " + FRACTION),
    ("float", 9, "float p = fminf(fmaxf(x, 0.f), 1.f) * 3.1f; int k = (int)floorf(8.f * (p - floorf(p)));"),
    ("float", 1, "float p = x * x; p = p > 16777216.f ? 16777216.f : p; p = p < 16777216.f ? 16777216.f : p; "
                 "int k = (int)(p - 16777216.f);"),
]


def checked(run: Run, kernel_file: Any, kind: str, size: int, index: str) -> dict[str, Any]:
    path = kernel_file(KERNEL.format(kind=kind, size=size, index=index))
    return run("check", path, "--block", 64, "--grid", 4, "--arg", "n=200", "--format", "jsonl").records[0]


@pytest.mark.parametrize(("kind", "size", "index"), INSIDE)
def test_inside(run: Run, kernel_file: Any, kind: str, size: int, index: str) -> None:
    record = checked(run, kernel_file, kind, size, index)
    assert record["properties"]["bounds"] == "proved", record["findings"]


@pytest.mark.parametrize(("kind", "size", "index"), OUTSIDE)
def test_outside(run: Run, kernel_file: Any, kind: str, size: int, index: str) -> None:
    assert checked(run, kernel_file, kind, size, index)["properties"]["bounds"] != "proved"


OPENCL = """
__kernel void look(__global const float *in, __global float *out, int n) {{
  __local float table[{size}];
  for (int i = get_local_id(0); i < {size}; i += get_local_size(0)) table[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int at = get_global_id(0);
  if (at >= n) return;
  float x = in[at];
  {index}
  out[at] = table[k];
}}
"""


@pytest.mark.parametrize(("size", "index", "is_inside"), [
    (255, "int k = (int)fmin(fmax(x, 1.f), 255.f) - 1;", True),
    (256, "int k = convert_int_rte(fmin(fmax(x, -0.4f), 255.4f));", True),
    (200, "uchar k = convert_uchar(fmin(fmax(x, -0.9f), 199.9f));", True),
    (256, "uchar k = convert_uchar_sat(x);", True),
    (1, "uint k = convert_uint_sat(fmin(x, 0.f));", True),
    (1, "uint k = (uint)fmin(x, 0.f);", False),
    (1, "uint k = (uint)fmin(fmax(x, -1.f), 0.f);", False),
    (256, "int k = (int)fmax(x, 3e9f); k = k == 2147483647 ? 0 : k;", False),
    (256, "float v = x > 255.f ? 255.f : x < 0.f ? 0.f : x; int k = (int)v;", False),
])
def test_opencl_leaves_open_what_fits_no_integer(run: Run, kernel_file: Any, size: int, index: str, is_inside: bool) -> None:
    path = kernel_file(OPENCL.format(size=size, index=index), "k.cl")
    (record,) = run("check", path, "--block", 64, "--grid", 4, "--arg", "n=200", "--format", "jsonl").records
    assert (record["properties"]["bounds"] == "proved") is is_inside, record["findings"]


class Made:
    """A float expression as C and as a term. `factors`: of a product."""

    def __init__(self, text: str, term: Term, factors: tuple[str, str] | None = None) -> None:
        self.text, self.term, self.factors = text, term, factors


class Maker:
    """Random expressions over two inputs of a type. `fuses`: each sum takes its left side as it is before it is rounded."""

    def __init__(self, seed: int, kind: Scalar, *, fuses: bool = False) -> None:
        self.random, self.kind, self.suffix, self.fuses = random.Random(seed), kind, "f" if kind is F32 else "", fuses
        self.inputs = [Made(name, T.symbol(name, kind, Owner.LAUNCH)) for name in ("x", "y")]

    def number(self) -> Made:
        value = self.random.choice([0.0, 1.0, -1.0, 0.1, 255.0, 1e-40, -3.75, 1e30, 16777217.0, 0.3333])
        rounded = self.kind.round(value)
        return Made(f"(({self.kind.name}){rounded!r})", T.const(rounded, self.kind))

    def make(self, depth: int) -> Made:
        if not depth or self.random.random() < 0.1:
            return self.random.choice([*self.inputs, self.number(), self.number()])
        one, two = self.make(depth - 1), self.make(depth - 1)
        match self.random.randrange(9):
            case 0 | 1:
                op = self.random.choice("+-*")
                return self.sum(op, one, two) if op != "*" else Made(
                    f"({one.text} * {two.text})", T.binary(op, one.term, two.term), (one.text, two.text))
            case 2:
                return self.call(self.random.choice(["floor", "ceil", "trunc", "round", "rint", "fabs"]), one)
            case 3 | 4:
                return self.call(self.random.choice(["fmin", "fmax"]), one, two)
            case 5:
                return self.call(self.random.choice(["sin", "cos", "atan", "tanh", "exp", "sqrt"]), one)
            case 6:
                by = self.random.choice([2.0, -3.0, 7.0, 255.0])
                return Made(f"({one.text} / ({self.kind.name}){by})", T.binary("/", one.term, T.const(by, self.kind)))
            case 7:
                whole = self.call("floor", one)
                return self.sum("-", one, whole)
        op = self.random.choice(["<", "<="])
        then, other = self.random.choice([(one, two), (two, one), (one, self.number()), (self.number(), two)])
        test = T.binary(op, one.term, two.term)
        if self.fuses and self.random.random() < 0.5:
            then, other = (self.sum("-", each, self.number()) for each in (then, other))
        if self.random.random() < 0.3:
            return Made(f"(!({one.text} {op} {two.text}) ? {then.text} : {other.text})",
                        T.select(T.negate(test), then.term, other.term))
        return Made(f"({one.text} {op} {two.text} ? {then.text} : {other.text})", T.select(test, then.term, other.term))

    def sum(self, op: str, one: Made, two: Made) -> Made:
        term = T.binary(op, one.term, two.term)
        if self.fuses and one.factors is not None:
            return Made(f"fma{self.suffix}({', '.join(one.factors)}, {op}{two.text})", term)
        return Made(f"({one.text} {op} {two.text})", term)

    def call(self, name: str, *args: Made) -> Made:
        return Made(f"{name}{self.suffix}({', '.join(arg.text for arg in args)})",
                    T.call(name, tuple(arg.term for arg in args), self.kind))


EDGES = ["0.0", "-0.0", "1.0", "-1.0", "1e-40", "-1e-20", "0.99999994", "3e38", "-3e38", "INFINITY",
         "-INFINITY", "NAN", "0.5", "255.5"]


def compiled(folder: Path, kind: Scalar, made: list[Made], values: list[str], flags: tuple[str, ...]) -> None:
    """A program that prints each expression at all pairs of values, a line each."""
    name = kind.name
    functions = "\n".join(f"{name} f{at}({name} x, {name} y) {{ return {each.text}; }}" for at, each in enumerate(made))
    calls = "\n".join(f'for (auto x : v) for (auto y : v) printf("%a ", (double)f{at}(x, y)); puts("");'
                      for at in range(len(made)))
    given = ", ".join(f"({name}){value}" for value in values)
    (folder / "twin.cpp").write_text(f"#include <cmath>\n#include <cstdio>\n{functions}\n"
                                     f"int main() {{ static const {name} v[] = {{{given}}};\n{calls} }}\n")
    subprocess.run(["g++", "-std=c++17", "-O1", "-w", *flags, "-o", folder / "twin", folder / "twin.cpp"],
                   check=True, timeout=120)


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
@pytest.mark.drawn(4)
def test_values_lie_in_their_ranges(seed: int, tmp_path: Path) -> None:
    kind = (F32, F64)[seed % 2]
    maker = Maker(seed, kind, fuses=seed % 3 == 0)
    made = [maker.make(5) for _ in range(150)]
    values = [*EDGES, *(repr(maker.random.choice([1, 10, 1e5, 1e20]) * maker.random.uniform(-1, 1)) for _ in range(10))]
    fused = seed // 2 % 2 and _fuses()
    compiled(tmp_path, kind, made, values, ("-ffp-contract=fast", "-mfma") if fused else ("-ffp-contract=off",))
    told = subprocess.run([tmp_path / "twin"], check=True, capture_output=True, text=True, timeout=60).stdout
    bounded = 0
    for each, line in zip(made, told.splitlines(), strict=True):
        ranges = FloatRanges(lambda term: (term.type.low, term.type.high))
        found, (low, high) = ranges.of(each.term), ranges.whole(each.term, I32)
        bounded += not found.may_be_infinite
        for word in line.split():
            value = math.nan if "nan" in word else float.fromhex(word)
            assert found.may_be_nan if math.isnan(value) else found.low <= _exact(value) <= found.high, (each.text, word, found)
            assert low <= arithmetic.cast(value, kind, I32) <= high, (each.text, word, low, high)
    assert bounded > 10


def _exact(value: float) -> Fraction | float:
    return value if math.isinf(value) else Fraction(value)


def _fuses() -> bool:
    """Whether this processor fuses products with sums."""
    try:
        return " fma " in Path("/proc/cpuinfo").read_text()
    except OSError:
        return False
