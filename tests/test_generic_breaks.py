"""Loops that are left from inside by a test of integers, for all sizes, and slips."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

from equivalence.result import EqualityClass

ROWS = """// spmd: block=64 grid=(rows+63)/64 x[rows*n] y[rows] require rows >= 1, rows <= 2000, n >= 1, n <= 1000
__global__ void k(const float *x, float *y, int rows, int n) {{
  int r = blockIdx.x * 64 + threadIdx.x; if (r >= rows) return;
  const float *w = x + r * n; float s = 0.5f; int j = 0, left = n; {body} y[r] = s;
}}
"""
STEP = "s = s * s * 0.25f + w[j]; "
PLAIN = "for (; j < n; j++) { " + STEP + "}"
LOOPS = {
    "do while": ("do { " + STEP + "j++; } while (j < n);", {"j < n": "j + 1 < n", "j++": "j += 2"}),
    "counted down": ("do { " + STEP + "j++; } while (--left > 0);", {"--left > 0": "--left > 1", "--left": "left -= 2, left"}),
    "for ever": ("for (;;) { if (j >= n) break; " + STEP + "j++; }", {"j >= n": "j >= n - 1", "s * 0.25f": "s * 0.5f"}),
    "left in the middle": ("for (;;) { " + STEP + "if (++j >= n) break; s = s * 0.75f; }", {"++j >= n": "++j >= n - 1"}),
    "two tests": ("for (; j < 2 * n; j++) { if (j >= n) break; " + STEP + "}", {"j >= n": "j > n - 2", "j < 2 * n": "j < n / 2"}),
    "with a local": ("for (;;) { int at = j; float v = w[at]; if (at >= n - 1) { s = s * s * 0.25f + v; break; } "
                     "s = s * s * 0.25f + v; j = at + 1; }", {}),
    "a local of the round": ("do { float v = w[j]; s = s * s * 0.25f + v; j++; } while (j < n);",
                             {"float v = w[j]; s = s * s * 0.25f + v; j++": "float v = w[j]; j++; s = s * s * 0.25f + v * s"}),
    "where it goes on is a local": ("for (;;) { int next = j + 1; " + STEP + "if (next >= n) break; j = next; }",
                                    {"next >= n": "next > n", "j = next": "j = next / 2 * 2"}),
}
SLIPS = [(name, old) for name, (_, slips) in LOOPS.items() for old in slips]
NOT_FOLLOWED = {"with a local"}


def shown(folder: Path, one: str, two: str) -> EqualityClass | None:
    found = generic(folder, (ROWS.format(body=one), ROWS.format(body=two)))
    return None if found is None else found.kind


@pytest.mark.parametrize("name", LOOPS)
def test_loops(name: str, tmp_path: Path) -> None:
    plain = STEP + "for (j = 1; j < n; j++) { s = s * 0.75f; " + STEP + "}" if "middle" in name else PLAIN
    assert (shown(tmp_path, plain, LOOPS[name][0]) is EqualityClass.BITWISE) is (name not in NOT_FOLLOWED)


@pytest.mark.parametrize(("name", "old"), SLIPS)
def test_slips(name: str, old: str, tmp_path: Path) -> None:
    loop, slips = LOOPS[name]
    assert old in loop
    assert shown(tmp_path, PLAIN, loop.replace(old, slips[old])) is None
