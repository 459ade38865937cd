"""Sums whose numbers are told apart by what they leave, for all sizes: groups, halves of bytes, turns; and twins that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=64 grid=(rows+63)/64 x[8*rows*n] w[rows*n] y[rows] require rows > 0, rows <= 2000, n >= 0, n <= 1000
__global__ void k(const float *x, const float *w, float *y, int rows, int n) {{
  int r = blockIdx.x * 64 + threadIdx.x; if (r >= rows) return; float s = 0; {0} y[r] = s; }}
"""
FLAT = "for (int j = 0; j < 8 * n; j++) s += w[r * n + j / 8] * x[8 * r * n + j];"
GROUPS = ("for (int g = 0; g < n; g++) { float p = 0; for (int u = 0; u < 8; u++) p += x[8 * (r * n + g) + u]; "
          "s += w[r * n + g] * p; }")
SIGNED = "for (int j = 0; j < 8 * n; j++) s += (j % 2 ? -x[8 * r * n + j] : x[8 * r * n + j]) * w[r * n + j / 8];"
PAIRS = "for (int i = 0; i < 4 * n; i++) s += (x[8 * r * n + 2 * i] - x[8 * r * n + 2 * i + 1]) * w[r * n + i / 4];"
RAGGED = "for (int j = 0; j < 8 * n - 3; j++) s += w[r * n + j / 8] * x[8 * r * n + j];"
CUT = ("for (int g = 0; g < n; g++) for (int u = 0; u < 8; u++) if (8 * g + u < 8 * n - 3) "
       "s += w[r * n + g] * x[8 * (r * n + g) + u];")


def shown(tmp_path: Path, one: str, two: str) -> bool:
    found = generic(tmp_path, (FRAME.format(one), FRAME.format(two)))
    return found is not None and found.kind is not None


GOOD = {"groups of eight": (FLAT, GROUPS), "signs in turns": (SIGNED, PAIRS), "the last group has five": (RAGGED, CUT)}


@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    assert shown(tmp_path, *GOOD[what])


BAD = {
    "groups of four": (FLAT.replace("j / 8", "j / 4"), GROUPS),
    "one of eight left out": (FLAT, GROUPS.replace("u < 8", "u < 7")),
    "the next group's weight": (FLAT, GROUPS.replace("w[r * n + g]", "w[r * n + (g + 1) % n]")),
    "the weight of the last round": (FLAT, GROUPS.replace("w[r * n + g]", "w[r * n + (g > 0 ? g - 1 : 0)]")),
    "signs the other way": (SIGNED, PAIRS.replace("x[8 * r * n + 2 * i] - x[8 * r * n + 2 * i + 1]",
                                                  "x[8 * r * n + 2 * i + 1] - x[8 * r * n + 2 * i]")),
    "all positive": (SIGNED, PAIRS.replace("] - x", "] + x")),
    "six of the last group": (RAGGED, CUT.replace("8 * n - 3", "8 * n - 2")),
    "the last group is whole": (RAGGED, GROUPS),
    "by eights from one on": (FLAT, FLAT.replace("j / 8", "(j + 1) / 8")),
}


@pytest.mark.sliced(3)
@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    assert not shown(tmp_path, *BAD[what])
