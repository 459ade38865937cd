"""Rows whose ends are data, and elements that data name, gone through by one thread and by many: beside twins that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=32 grid=rows start[rows+1] y[rows] require rows > 0, rows <= 100000
__global__ void k(const int *start, const int *at, const float *v, const float *x, float *y, int rows) {{
  int t = threadIdx.x, r = blockIdx.x; float s = 0.0f; {body} if (t == 0) y[r] = s; }}
"""
SUM = "for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);"
SERIAL = "for (int k = start[r]; k < start[r + 1]; k++) s += v[k] * x[at[k]];"
WARP = "for (int k = start[r] + t; k < start[r + 1]; k += 32) s += v[k] * x[at[k]];" + SUM
LONG = "int end = start[r + 1]; for (long long k = (long long)start[r] + t; k < end; k += 32) s += v[k] * x[at[k]];" + SUM
CHOSEN = "for (int k = start[r]; k < start[r + 1]; k++) if (at[k] > 3) s += v[k];"
TWICE = "for (int k = start[r]; k < start[r + 1]; k++) s += v[k] * x[at[at[k]]];"
LENGTH = "int m = start[r + 1] - start[r]; for (int j = 0; j < m; j++) s += v[start[r] + j] * x[at[start[r] + j]];"
GOOD = {
    "a row a warp": (SERIAL, WARP),
    "with wider numbers": (SERIAL, LONG),
    "its length": (SERIAL, LENGTH),
    "those that data choose": (CHOSEN, "for (int k = start[r] + t; k < start[r + 1]; k += 32) if (at[k] > 3) s += v[k];" + SUM),
    "named by what is named": (TWICE, TWICE.replace("start[r];", "start[r] + t;").replace("k++", "k += 32") + SUM),
    "from behind": (SERIAL, "for (int k = start[r + 1] - 1; k >= start[r]; k--) s += v[k] * x[at[k]];"),
    "four at a time": (SERIAL, "int k = start[r], end = start[r + 1]; for (; k + 1 < end; k += 2) "
                       "s += v[k] * x[at[k]] + v[k + 1] * x[at[k + 1]]; if (k < end) s += v[k] * x[at[k]];"),
}
BAD = {
    "the last one is dropped": (SERIAL, WARP.replace("k < start[r + 1]", "k < start[r + 1] - 1")),
    "one more": (SERIAL, WARP.replace("k < start[r + 1]", "k <= start[r + 1]")),
    "half a warp": (SERIAL, WARP.replace("int d = 16", "int d = 8")),
    "a stride too long": (SERIAL, WARP.replace("k += 32", "k += 64")),
    "a stride too short": (SERIAL, WARP.replace("k += 32", "k += 16")),
    "the row before": (SERIAL, WARP.replace("start[r] + t", "start[r - (r > 0)] + t")),
    "the neighbour's element": (SERIAL, WARP.replace("x[at[k]]", "x[at[k ^ 1]]")),
    "the number of the row": (SERIAL, WARP.replace("x[at[k]]", "x[at[k - start[r]]]")),
    "what is named by it": (SERIAL, WARP.replace("at[k]", "at[at[k]]")),
    "another factor": (SERIAL, WARP.replace("v[k] *", "v[at[k]] *")),
    "other ones are chosen": (CHOSEN, "for (int k = start[r] + t; k < start[r + 1]; k += 32) if (at[k] > 2) s += v[k];" + SUM),
    "others are asked": (CHOSEN, "for (int k = start[r] + t; k < start[r + 1]; k += 32) if (at[k + 32] > 3) s += v[k];" + SUM),
    "the guard of a lane": (CHOSEN, "for (int k = start[r] + t; k < start[r + 1]; k += 32) if (at[k - t] > 3) s += v[k];" + SUM),
    "a row less its first": (SERIAL, LENGTH.replace("int j = 0", "int j = 1")),
}


def texts(pair: tuple[str, str]) -> tuple[str, str]:
    one, two = (FRAME.format(body=body) for body in pair)
    return one, two


@pytest.mark.sliced(2)
@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, texts(GOOD[what]))
    assert shown is not None
    assert shown.kind is not None, shown.reason


@pytest.mark.sliced(3)
@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, texts(BAD[what]))
    assert shown is None or shown.kind is None, shown.proof
