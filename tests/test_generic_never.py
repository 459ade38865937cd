"""Pairs that differ for some size or data, and that a proof by generic blocks once called equal, by what it overlooked."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import ALL_OF, MAP, ROWS, generic

from equivalence.result import EqualityClass

BLOCK = """// spmd: block=64 grid=rows x[rows*64] y[rows*64] require rows >= 1, rows <= 2000, n >= 0, n <= 300
__global__ void k(const {0} *x, {1} *y, int rows, int n) {{
  __shared__ {0} s[64]; __shared__ {0} q[64]; int t = threadIdx.x, b = blockIdx.x; {2} }}
"""
ROUNDS = BLOCK.replace("x[rows*64]", "x[rows*n]")
MATRIX = ROWS.replace("y[rows]", "y[rows*cols]")
ONE = """// spmd: block=1 grid=rows x[rows*64] y[rows] require rows >= 1, rows <= 2000
__global__ void k(const float *x, float *y, int rows) {{ int b = blockIdx.x; {0} }}
"""
MANY = ONE.replace("block=1", "block=64")
SCRATCH = """// spmd: block=64 grid=rows z[rows] y[rows*64] require rows >= 1, rows <= 2000, n >= 0, n <= 60
__global__ void k(float *z, float *y, int rows, int n) {{ int t = threadIdx.x, b = blockIdx.x; float a = 0; {0} }}
"""
ALL_N = "for (int j = 0; j < n; j++)"
SUM_OF_N = f"float a = 0; {ALL_N} a += x[b * n + j]; y[b * 64 + t] = a;"
Pair = tuple[str, str, str, str, str]

WRITERS: list[Pair] = [
    # A loop that some lanes alone come to.
    (ROUNDS, "float", "float", f"if (t == 0) s[0] = 0; __syncthreads(); if (t == 5) {ALL_N} s[0] += x[b * n + j]; "
     "__syncthreads(); y[b * 64 + t] = s[0];", "y[b * 64 + t] = 0;"),
    (ROUNDS, "float", "float", f"s[t] = 0; if (t < 32) {ALL_N} s[t] += x[b * n + j]; __syncthreads(); y[b * 64 + t] = s[t];",
     SUM_OF_N),
    (ROUNDS, "float", "float", f"if (t == 0) s[0] = 0; __syncthreads(); if (t == 0) {ALL_N} s[0] += x[b * n + j] * (t + 1); "
     "__syncthreads(); y[b * 64 + t] = s[0];", f"float a = 0; {ALL_N} a += x[b * n + j] * 64; y[b * 64 + t] = a;"),
    # One of several lanes stores, and sizes decide which.
    (BLOCK, "float", "float", "if (t == 0) s[0] = 0; __syncthreads(); if (t == n) s[0] = x[b * 64 + t]; __syncthreads(); "
     "y[b * 64 + t] = s[0];", "if (t == 0) s[0] = 0; __syncthreads(); if (t == 63 && n == 63) s[0] = x[b * 64 + t]; "
     "__syncthreads(); y[b * 64 + t] = s[0];"),
    (BLOCK, "float", "float", "if (t == 0) s[0] = 0; __syncthreads(); if (t == n) { if (t == 3) s[0] = 1; "
     "if (t == 4) s[0] = 2; } __syncthreads(); y[b * 64 + t] = s[0];",
     "if (t == 0) s[0] = 0; __syncthreads(); if (t == n) { if (t == 4) s[0] = 2; } "
     "__syncthreads(); y[b * 64 + t] = s[0];"),
    (BLOCK, "float", "float", "if (t != n) return; s[0] = x[b * 64 + t]; y[b] = s[0];",
     "if (t != n) return; y[b] = x[b * 64 + 63];"),
    (ROUNDS, "float", "float", "if (t == 0) s[0] = 0; __syncthreads(); for (int j = 0; j < (t == n ? 5 : 0); j++) s[0] += 1; "
     "__syncthreads(); y[b * 64 + t] = s[0];", "y[b * 64 + t] = n == 63 ? 5 : 0;"),
    # Any lane may raise a flag.
    (BLOCK, "float", "float", "if (t == 0) s[0] = 0; __syncthreads(); if (x[b * 64 + t] > 0) s[0] = 1; __syncthreads(); "
     "y[b * 64 + t] = s[0];", "if (t == 0) s[0] = 0; __syncthreads(); if (t == 63) if (x[b * 64 + t] > 0) s[0] = 1; "
     "__syncthreads(); y[b * 64 + t] = s[0];"),
    (BLOCK, "float", "float", "if (t == 0) s[0] = 0; __syncthreads(); if (b * 64 + t + 1 > n * 7) s[0] = 1; __syncthreads(); "
     "y[b * 64 + t] = s[0];", "if (t == 0) s[0] = 0; __syncthreads(); if (t == 63) if (b * 64 + t + 1 > n * 7) s[0] = 1; "
     "__syncthreads(); y[b * 64 + t] = s[0];"),
]
NESTED: list[Pair] = [
    # An element of global memory that a loop in a loop changes.
    (BLOCK, "float", "float", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[b * 64 + t] += 1;",
     "y[b * 64 + t] = y[b * 64 + t];"),
    (BLOCK, "float", "float", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) y[b * 64 + t] += 1; "
     "y[b * 64 + t] *= 2; }", "float a = y[b * 64 + t]; for (int i = 0; i < n; i++) a *= 2; y[b * 64 + t] = a;"),
]
NUMBERS: list[Pair] = [
    (MAP, "unsigned", "float", "y[i] = (float)(x[i] * x[i]);", "y[i] = (float)x[i] * (float)x[i];"),
    (MAP, "int", "long long", "y[i] = (long long)(x[i] * x[i]);", "y[i] = (long long)x[i] * (long long)x[i];"),
    (BLOCK, "bool", "float", "s[t] = n < 3; q[t] = n < 5; y[b * 64 + t] = (float)((unsigned)s[t] - (unsigned)q[t]);",
     "s[t] = n < 3; q[t] = n < 5; y[b * 64 + t] = (float)(unsigned)s[t] - (float)(unsigned)q[t];"),
    (ROWS, "int", "int", "int m = 7; " + ALL_OF + " { int v = x[r * cols + j]; m = (unsigned)m < (unsigned)v ? v : m; } "
     "y[r] = m;", "int m = 7; " + ALL_OF + " { int v = x[r * cols + j]; m = m < v ? v : m; } y[r] = m;"),
    (MAP, "int", "float", "y[i] = __int_as_float(__float_as_int(__int_as_float(x[i] / 3)));", "y[i] = (float)x[i];"),
]
GREATEST = "m = fmaxf(m, x[r * cols + j]);"
INFINITIES: list[Pair] = [
    (ROWS, "float", "float", "float m = -INFINITY; " + ALL_OF + " { float u = 2 * m - m, v = x[r * cols + j]; "
     "m = u < v ? v : u; } y[r] = m;",
     "float m = -INFINITY; " + ALL_OF + " { float v = x[r * cols + j]; m = m < v ? v : m; } y[r] = m;"),
    (MATRIX, "float", "float", f"float m = -INFINITY; {ALL_OF} {{ y[r * cols + j] = m - m; {GREATEST} }}",
     f"{ALL_OF} y[r * cols + j] = 0;"),
    (ROUNDS, "float", "float", f"s[t] = -INFINITY; float a = 0; {ALL_N} {{ a += s[t] - s[t]; "
     "s[t] = fmaxf(s[t], x[b * n + j]); } y[b * 64 + t] = a;", "y[b * 64 + t] = 0;"),
    (ROUNDS, "float", "float", f"s[t] = -INFINITY; __syncthreads(); float a = 0; {ALL_N} {{ float u = s[(t + 1) % 64]; "
     "a += u - u; __syncthreads(); s[t] = fmaxf(s[t], x[b * n + j]); __syncthreads(); } y[b * 64 + t] = a;",
     "y[b * 64 + t] = 0;"),
    (ROWS, "float", "float", f"float m = -INFINITY, p = 0, a = 0; {ALL_OF} {{ a += p - p; p = m; {GREATEST} }} y[r] = a;",
     "y[r] = 0;"),
    (ROWS, "float", "float", f"float m = -INFINITY, p = -INFINITY, a = 0; {ALL_OF} {{ a += fmaxf(m, p) * 0; {GREATEST} "
     "p = fmaxf(p, x[r * cols + j] + 1); } y[r] = a;", "y[r] = 0;"),
    (ROWS, "float", "float", f"float m = -INFINITY, a = 0; {ALL_OF} {{ a += expf(m) * expf(-m); {GREATEST} }} y[r] = a;",
     "y[r] = cols;"),
    (ROWS, "float", "float", f"float m = -INFINITY, a = 0; {ALL_OF} {{ a += m * x[r * cols + j] - x[r * cols + j] * m; "
     f"{GREATEST} }} y[r] = a;", "y[r] = 0;"),
    (ROWS, "float", "float", f"float m = -INFINITY, p = 0, a = 0; {ALL_OF} {{ a += p - p; p = m - m; {GREATEST} }} y[r] = a;",
     "y[r] = 0;"),
    (MAP, "float", "float", "float m = fmaxf(INFINITY, x[i]); y[i] = m - m;", "y[i] = 0;"),
    (MAP, "float", "float", "float m = fminf(-INFINITY, x[i]); y[i] = x[i] + m - m;", "y[i] = x[i];"),
    (MAP, "float", "float", "float m = fabsf(-INFINITY); y[i] = m - m;", "y[i] = 0;"),
    (MAP, "float", "float", "float m = __int_as_float(0xff800000); y[i] = m - m;", "y[i] = 0;"),
    (MAP, "float", "float", "float m = __uint_as_float(0x7fc00000u); y[i] = m - m;", "y[i] = 0;"),
    (ROWS, "float", "float", f"float m = -INFINITY; {ALL_OF} {GREATEST} y[r] = __fmaf_rn(m, 1.0f, -m);", "y[r] = 0;"),
    (ROWS, "float", "float", f"float m = -INFINITY; {ALL_OF} m = fminf(fmaxf(m, x[r * cols + j]), 5.0f); y[r] = m - m;",
     "y[r] = 0;"),
]
NEVER = [*WRITERS, *NESTED, *NUMBERS, *INFINITIES]


@pytest.mark.parametrize("number", range(len(NEVER)))
def test_never(number: int, tmp_path: Path) -> None:
    frame, kind, result, one, two = NEVER[number]
    shown = generic(tmp_path, (frame.format(kind, result, one), frame.format(kind, result, two)))
    assert shown is None or shown.kind is None


@pytest.mark.parametrize(("one", "two"), [
    (ONE.format("if (x[b * 64] > 0) y[b] = 1;"), MANY.format("if (x[b * 64 + threadIdx.x] > 0) y[b] = 1;")),
    (ONE.replace("grid=rows", "grid=1").format("if (x[0] > 0) y[0] = 1;"), ONE.format("if (x[b * 64] > 0) y[0] = 1;"))])
def test_flags_in_global_memory(one: str, two: str, tmp_path: Path) -> None:
    """Data decide which of several threads stores."""
    shown = generic(tmp_path, (one, two))
    assert shown is not None
    assert shown.kind is None


GOOD = [
    (ROUNDS, "float", "float", f"s[t] = 0; if (t < 32) {ALL_N} s[t] += x[b * n + j]; __syncthreads(); y[b * 64 + t] = s[t];",
     f"float a = 0; if (t < 32) {ALL_N} a += x[b * n + j]; y[b * 64 + t] = a;"),
    (ROUNDS, "float", "float", f"if (t == 5) s[0] = 0; __syncthreads(); if (t == 5) {ALL_N} s[0] += x[b * n + j] * t; "
     "__syncthreads(); y[b * 64 + t] = s[0];", f"float a = 0; {ALL_N} a += x[b * n + j] * 5; y[b * 64 + t] = a;"),
    (BLOCK, "float", "float", "s[63 - t] = 0; __syncthreads(); if (t < n) s[t] = x[b * 64 + t]; __syncthreads(); "
     "y[b * 64 + t] = s[t];", "y[b * 64 + t] = t < n ? x[b * 64 + t] : 0;"),
    (BLOCK, "float", "float", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[b * 64 + t] += 1;",
     "y[b * 64 + t] += (float)n * (float)n;"),
    (MATRIX, "float", "float", f"float m = -INFINITY; {ALL_OF} {{ {GREATEST} y[r * cols + j] = m - m; }}",
     f"{ALL_OF} y[r * cols + j] = 0;"),
]


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_equal_twins(number: int, tmp_path: Path) -> None:
    frame, kind, result, one, two = GOOD[number]
    shown = generic(tmp_path, (frame.format(kind, result, one), frame.format(kind, result, two)))
    assert shown is not None
    assert shown.kind is not None, shown.reason


def test_divisors_under_roots_are_told(tmp_path: Path) -> None:
    shown = generic(tmp_path, (ROWS.format("float", "float", "float f = cols - 5; y[r] = sqrtf(f) * rsqrtf(f);"),
                               ROWS.format("float", "float", "y[r] = 1;")))
    assert shown is not None
    assert shown.kind is EqualityClass.REAL
    assert shown.assumed == ["no divisor is zero: cols + -5"]
