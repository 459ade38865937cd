"""Differences of kernels that are not shown to be deterministic at all sizes: told where they are at that launch, and not where
they are not."""

from __future__ import annotations

from pathlib import Path

from test_spread import compared

from equivalence.result import EquivVerdict

ROUNDS = """// spmd: block=64 grid=(n+63)/64 x[rounds*n] y[n] require n > 0, n <= 20000, rounds >= 0, rounds <= 20000
__global__ void k(const float *x, float *y, int n, int rounds) {{
  int i = blockIdx.x * 64 + threadIdx.x; if (i >= n) return;
  float s = 0; const float *in = x + i; for (int k = 0; k < rounds; k++) {{ s += *in; in += {step}; }} y[i] = s; }}
"""
CELLS = """// spmd: block=64 grid=1 x[64] y[64] require n > 0, n <= 64
__global__ void k(const float *x, float *y, int n) {{
  int t = threadIdx.x; if (t < n) y[{cell}] = {value}; }}
"""


def test_told_at_a_launch(tmp_path: Path) -> None:
    """Accesses that are not shown to stay inside at all sizes do so where the difference is."""
    report = compared(tmp_path, ROUNDS.format(step="n"), ROUNDS.format(step="n - (n > 1 && k > 3)"))
    assert report.verdict is EquivVerdict.DIFFERENT, report.reason
    assert report.counterexample is not None
    assert report.counterexample.sizes["rounds"] >= 5 and report.counterexample.sizes["n"] >= 2


def test_the_same_is_not_different(tmp_path: Path) -> None:
    report = compared(tmp_path, ROUNDS.format(step="n"), ROUNDS.format(step="n - (n > 1 && k < 0)"))
    assert report.verdict is not EquivVerdict.DIFFERENT


def test_a_race_is_no_difference(tmp_path: Path) -> None:
    """Threads that store different values to one cell at every launch: no run says what such a kernel does."""
    racy = CELLS.format(cell="(t * t * 5 + t * n) % 2", value="x[t]")
    report = compared(tmp_path, CELLS.format(cell="t", value="x[t]"), racy)
    assert report.verdict in (EquivVerdict.UNKNOWN, EquivVerdict.NONDETERMINISTIC)


def test_one_value_from_many_threads(tmp_path: Path) -> None:
    """Threads that all store the same value to one cell are deterministic, and a difference there is one."""
    report = compared(tmp_path, CELLS.format(cell="t", value="1"), CELLS.format(cell="(t * t * 5 + t * n) % 2", value="2"))
    assert report.verdict is EquivVerdict.DIFFERENT, report.reason
