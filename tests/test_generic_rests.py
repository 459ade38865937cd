"""Sums and maxima by rests: strides, lanes, trees, rests of rests, each beside twins that take a number twice or never."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=64 grid=rows x[rows*5000] y[rows*64] require rows >= 1, rows <= 2000, {sizes}
__global__ void k(const {kind} *x, {kind} *y, int rows, int n, int s, int m) {{
  __shared__ {kind} sh[64]; int t = threadIdx.x, b = blockIdx.x; const {kind} *in = x + b * 5000; {kind} a = 0;
  {body} y[b * 64 + t] = a; }}
"""
SIZES = "n >= 0, n <= 900, s >= 1, s <= 64, m >= 0, m <= 50"
ALL = "for (int j = 0; j < n; j++) a += in[j];"
WEIGHED = "for (int j = 0; j < n; j++) a += in[j] * j;"
COUNT = "for (int j = 0; j < n; j++) a += 1;"
EITHER = "for (int j = 0; j < n; j++) if (j % 2 == 0 || j % 3 == 0) a += in[j];"
MOST = "a = -1e30f; for (int j = 0; j < n; j++) a = fmaxf(a, in[j]);"
THREE = "for (int r = 0; r < 3; r++) for (int j = r; j < n; j += 4) a += in[j];"


def steps(*rests: tuple[int, int], sign: str = "+") -> str:
    return " ".join(f"for (int j = {rest}; j < n; j += {step}) a {sign}= in[j];" for step, rest in rests)


def nested(first: str = "0", end: str = "4", step: str = "4", before: str = "", factor: str = "") -> str:
    return f"for (int r = {first}; r < {end}; r++) {before} for (int j = r; j < n; j += {step}) a += in[j]{factor};"


def lanes(first: str = "t", step: str = "64", end: str = "n", term: str = "in[j]", out: str = "l = 0; l < 64") -> str:
    return (f"for (int j = {first}; j < {end}; j += {step}) a += {term}; sh[t] = a; __syncthreads(); a = 0; "
            f"for (int {out}; l++) a += sh[l];")


def warp(width: int, step: int, half: int) -> str:
    return (f"for (int j = t % {width}; j < n; j += {step}) a += in[j]; "
            f"for (int d = {half}; d > 0; d >>= 1) a += __shfl_xor_sync(0xffffffffu, a, d);")


def maxima(*rests: tuple[int, int], begin: str = "-1e30f") -> str:
    return f"a = {begin}; " + " ".join(f"for (int j = {rest}; j < n; j += {step}) a = fmaxf(a, in[j]);" for step, rest in rests)


GOOD = {
    "four rests": (ALL, nested()),
    "a step that is a size": (ALL, nested(end="s", step="s")),
    "a step of at least one": (ALL, nested(end="m + 1", step="m + 1")),
    "97 rests": (ALL, nested(end="97", step="97")),
    "rests by 4, one of them by 32": (ALL, THREE + steps(*((32, 4 * q + 3) for q in range(8)))),
    "rests by 4, one of them by 24": (ALL, THREE + steps(*((24, 4 * q + 3) for q in range(6)))),
    "even ones by 4, odd ones by 6": (ALL, steps((4, 0), (4, 2), (6, 1), (6, 3), (6, 5))),
    "what is in both once": (EITHER, steps((2, 0), (3, 0)) + steps((6, 0), sign="-")),
    "a guard that says nothing": (ALL, nested(before="if (r < n)")),
    "a factor that is one": (ALL, nested(factor=" * (r + 1 - r)")),
    "lanes": (ALL, lanes()),
    "lanes of whole rounds": (ALL, lanes(end="n / 64 * 64"), SIZES + ", n % 64 == 0"),
    "a warp": (ALL, warp(32, 32, 16)),
    "half a warp": (ALL, warp(16, 16, 8)),
    "no or fewer than no numbers": (ALL, nested(), SIZES.replace("n >= 0", "n >= -70")),
    "maxima by 2 and 4": (MOST, maxima((2, 0), (4, 1), (4, 3))),
}
BAD = {
    "a rest short": (ALL, nested(end="3")),
    "a rest too many": (ALL, nested(end="5")),
    "from the second rest": (ALL, nested(first="1")),
    "rests moved by one": (ALL, nested(first="1", end="5")),
    "a step too wide": (ALL, nested(step="5")),
    "a step too narrow": (ALL, nested(step="3")),
    "a size as step, a rest short": (ALL, nested(end="s - 1", step="s")),
    "a size as step, a rest too many": (ALL, nested(end="s + 1", step="s")),
    "a size as step, one wider": (ALL, nested(end="s", step="s + 1")),
    "no step for no size": (ALL, nested(end="m", step="m + 1")),
    "96 of 97 rests": (ALL, nested(end="97", step="97", before="if (r != 96)")),
    "one of 4 by 32, short": (ALL, THREE + steps(*((32, 4 * q + 3) for q in range(7)))),
    "one of 4 by 32, of another rest": (ALL, THREE + steps(*((32, 4 * q + 2) for q in range(8)))),
    "one of 4 by 24, two too many": (ALL, THREE + steps(*((24, 4 * q + 3) for q in range(8)))),
    "an odd one by 4": (ALL, steps((4, 0), (4, 2), (6, 1), (6, 3), (4, 5))),
    "what is in both twice": (EITHER, steps((2, 0), (3, 0))),
    "half of what is in both": (EITHER, steps((2, 0), (3, 0)) + steps((12, 0), sign="-")),
    "taken away far out alone": (ALL, steps((2, 0), (2, 1)) + steps((9001, 899), sign="-")),
    "a guard that leaves out the last": (ALL, nested(before="if (r + 1 < n)")),
    "a guard on a rest": (ALL, nested(before="if (r != m)")),
    "a factor of the rest": (ALL, nested(factor=" * r")),
    "weights of the rest's round": (
        WEIGHED, "for (int r = 0; r < 4; r++) for (int j = 0; 4 * j + r < n; j++) a += in[4 * j + r] * (4 * j);"),
    "counted in wider steps": (COUNT, COUNT.replace("j++", "j += 2").replace("a += 1", "a += 2")),
    "a lane short": (ALL, lanes(out="l = 0; l < 63")),
    "without the first lane": (ALL, lanes(out="l = 1; l < 64")),
    "lanes too wide": (ALL, lanes(step="65")),
    "lanes too narrow": (ALL, lanes(step="32")),
    "one lane a round later": (ALL, lanes(first="t == 5 ? 69 : t")),
    "one lane ends before": (ALL, lanes(end="n - (t == 5)")),
    "one lane ends at a number": (ALL, lanes(end="(t == 63 ? min(n, 640) : n)")),
    "whole rounds of half the lanes": (ALL, lanes(end="n / 64 * 64"), SIZES + ", n % 32 == 0"),
    "two warps, one tree": (ALL, warp(64, 64, 16)),
    "half a warp, a whole tree": (ALL, warp(16, 16, 16)),
    "a whole warp, half a tree": (ALL, warp(32, 32, 8)),
    "maxima by 2, 4 and 8": (MOST, maxima((2, 0), (4, 1), (8, 3))),
    "maxima from zero": (MOST, maxima((2, 0), (2, 1), begin="0")),
}


def texts(pair: tuple[str, ...], kind: str) -> tuple[str, str]:
    one, two, *more = pair
    sizes = more[0] if more else SIZES
    return FRAME.format(kind=kind, sizes=sizes, body=one), FRAME.format(kind=kind, sizes=sizes, body=two)


@pytest.mark.sliced(4)
@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    """Over the reals, and not bit for bit: the order of additions is another."""
    shown = generic(tmp_path, texts(GOOD[what], "float"))
    assert shown is not None
    assert shown.kind is not None, shown.reason
    assert shown.kind.value.startswith("real")


@pytest.mark.sliced(6)
@pytest.mark.parametrize(("what", "kind"), [(what, kind) for what in BAD for kind in ("float", "int")
                                            if kind == "float" or BAD[what][0] != MOST])
def test_never(what: str, kind: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, texts(BAD[what], kind))
    assert shown is None or shown.kind is None, shown.proof
