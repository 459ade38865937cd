"""Loops that go on until a counter meets its end, beside twins that step over it or begin behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=64 grid=(rows+63)/64 y[rows] require rows > 0, rows <= 2000, n >= {least}, n <= 2000, m <= 9
__global__ void k(const {kind} *x, {kind} *y, int rows, int n, int m) {{
  int r = blockIdx.x * 64 + threadIdx.x; if (r >= rows) return; const {kind} *in = x + r * n; {kind} a = 0;
  {body} y[r] = a; }}
"""
SERIAL = "for (int j = 0; j < n; j++) a += in[j];"
GOOD = {
    "a pointer": (SERIAL, "const {kind} *p = in, *end = in + n; while (p != end) a += *p++;", 0),
    "downwards": (SERIAL, "int left = n; while (left != 0) {{ a += in[n - left]; left--; }}", 0),
    "with another test": ("for (int j = 0; j < n && j < m; j++) a += in[j];",
                          "for (int j = 0; j != n && j < m; j++) a += in[j];", 0),
}
BAD = {
    "one more": (SERIAL, "for (int j = 0; j != n + 1; j++) a += in[j];", 0),
    "one fewer": (SERIAL, "for (int j = 1; j != n; j++) a += in[j];", 1),
    "begun behind its end": (SERIAL, "for (int j = 1; j != n; j++) a += in[j]; if (n) a += in[0];", 0),
    "an end that may be negative": ("for (int j = 0; j < m; j++) a += in[j];", "for (int j = 0; j != m; j++) a += in[j];", 40),
    "an end that is stepped over": ("for (int j = 0; j < n; j += 2) a += in[j];",
                                    "for (int j = 0; j != n; j += 2) a += in[j];", 0),
    "downwards, one too far": (SERIAL, "int left = n; while (left != -1) {{ a += in[n - left]; left--; }}", 0),
    "the other end": ("for (int j = 0; j < n && j < m; j++) a += in[j];", "for (int j = 0; j != n; j++) a += in[j];", 0),
}


def texts(pair: tuple[str, str, int], kind: str) -> tuple[str, str]:
    one, two, least = pair
    return (FRAME.format(body=one.format(kind=kind), kind=kind, least=least),
            FRAME.format(body=two.format(kind=kind), kind=kind, least=least))


@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    """In the same order, so bit for bit."""
    shown = generic(tmp_path, texts(GOOD[what], "float"), is_checked=False)
    assert shown is not None
    assert shown.kind is not None, shown.reason
    assert what == "downwards" or shown.kind.value == "bitwise"


@pytest.mark.sliced(2)
@pytest.mark.parametrize(("what", "kind"), [(what, kind) for what in BAD for kind in ("float", "int")])
def test_never(what: str, kind: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, texts(BAD[what], kind), is_checked=False)
    assert shown is None or shown.kind is None, shown.proof
