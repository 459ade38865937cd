"""What all lanes carry alike is solved for one of them; what they carry apart is not taken for that. And elements that a digit of
two values tells apart, and maxima of lanes of which each is shown to have a number."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=4 grid=g x[g*m] w[g] y[g*4] require g >= 1, g <= 4000, {least}, m <= 1000
__global__ void k(const {kind} *x, const int *w, {kind} *y, int g, int m) {{
  __shared__ {kind} s[4]; int t = threadIdx.x, b = blockIdx.x; {body} }}
"""
EACH = "for (int j = 0; j < m; j++) "
PLAIN = "{kind} c = 0; " + EACH + "c += x[b * m + j]; y[b * 4 + t] = c;"
SHARED = "{kind} c = 0; " + EACH + (
    "{{ s[t] = x[b * m + j] + (t == 3 ? 0 : 1); __syncthreads(); c += s[3]; __syncthreads(); }} y[b * 4 + t] = c;")
TWICE = "{kind} c = 0, d = 0; " + EACH + "{{ d = c + x[b * m + j]; c = d; }} y[b * 4 + t] = c;"
SO_FAR = "{kind} c = 0; " + EACH + "{{ c += x[b * m + j]; if (j == m - 1) y[b * 4 + t] = c + t; }}"
AT_THE_END = "{kind} c = 0; " + EACH + "c += x[b * m + j]; if (m > 0) y[b * 4 + t] = c + t;"


def shown(tmp_path: Path, one: str, two: str, kind: str = "int", least: str = "m >= 0") -> str | None:
    texts = (FRAME.format(kind=kind, least=least, body=body.format(kind=kind)) for body in (one, two))
    found = generic(tmp_path, (next(texts), next(texts)))
    return None if found is None or found.kind is None else found.kind.value


@pytest.mark.parametrize(("one", "two"), [(PLAIN, SHARED), (PLAIN, TWICE), (SHARED, TWICE), (AT_THE_END, SO_FAR)])
@pytest.mark.parametrize("kind", ["int", "float"])
def test_equal(one: str, two: str, kind: str, tmp_path: Path) -> None:
    assert shown(tmp_path, one, two, kind) is not None


BAD = {
    "each lane its own cell": SHARED.replace("s[3]", "s[t]"),
    "a neighbour's cell": SHARED.replace("s[3]", "s[t ^ 1]"),
    "another lane's cell": SHARED.replace("s[3]", "s[2]"),
    "one lane begins otherwise": PLAIN.replace("c = 0", "c = t == 1 ? 1 : 0"),
    "the last lane begins otherwise": PLAIN.replace("c = 0", "c = t / 3"),
    "one lane adds nothing": PLAIN.replace("c += x", "if (t != 2) c += x"),
    "a lane makes a round less": PLAIN.replace("j < m", "j < m - t / 3"),
    "a lane begins a round later": PLAIN.replace("j = 0", "j = t / 3"),
    "elements by the lane": PLAIN.replace("x[b * m + j]", "x[b * m + (t == 3 ? m - 1 - j / 2 : j)]"),
    "by way of another local": PLAIN.replace("{kind} c = 0;", "{kind} c = 0, d = t / 2;").replace("c +=", "c += d +"),
    "one that grows apart": PLAIN.replace("{kind} c = 0;", "{kind} c = 0, d = 0;").replace("c += x", "d += t / 3, c += d + x"),
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("kind", ["int", "float"])
def test_lanes_that_carry_apart(what: str, kind: str, tmp_path: Path) -> None:
    assert shown(tmp_path, PLAIN, BAD[what], kind) is None
    if what != "another lane's cell":
        assert shown(tmp_path, SHARED, BAD[what], kind) is None


ROWS = """// spmd: block={block} grid=(n+{rows}-1)/{rows} x[n*cols] w[n] y[n] require n > 0, n < 4000, cols >= {least}, cols < 999
__global__ void k(const float *x, const int *w, float *y, int n, int cols) {{ {body} }}
"""
BY_THREAD = "int r = blockIdx.x * 64 + threadIdx.x; if (r >= n) return; y[r] = x[r] * w[r];"
BY_WARP = "int r = (blockIdx.x * 64 + threadIdx.x) / 32; if (r < n && threadIdx.x % 32 == 0) y[r] = x[r] * w[{0}];"


@pytest.mark.parametrize(("index", "is_equal"), [("r", True), ("r ^ 1", False), ("r / 2 * 2", False), ("n - 1 - r", False)])
def test_an_element_for_each_of_two_warps(index: str, is_equal: bool, tmp_path: Path) -> None:
    """Any two elements are a sum of products of a digit of two values; which they are tells more."""
    found = generic(tmp_path, (ROWS.format(block=64, rows=64, least=1, body=BY_THREAD),
                               ROWS.format(block=64, rows=2, least=1, body=BY_WARP.format(index))))
    assert (found is not None and found.kind is not None) is is_equal


LOG_SUM = ("int r = blockIdx.x * 64 + threadIdx.x; if (r >= n) return; const float *z = x + r * cols; "
           "float m = -INFINITY, s = 0; for (int j = 0; j < cols; j++) m = fmaxf(m, z[j]); "
           "for (int j = 0; j < cols; j++) s += expf(z[j] - m); "
           "y[r] = m + logf(s);")
ONLINE = ("int r = blockIdx.x, t = threadIdx.x; const float *z = x + r * cols; float m = -INFINITY, s = 0; "
          "for (int j = t; j < cols; j += 32) {{ float v = fmaxf(m, z[j]); s = s * expf(m - v) + expf(z[j] - v); m = v; }} "
          "for (int d = 16; d > 0; d /= 2) {{ float p = __shfl_xor_sync(0xffffffffu, m, d); "
          "float q = __shfl_xor_sync(0xffffffffu, s, d), v = fmaxf(m, p); s = s * expf(m - v) + q * expf(p - v); m = v; }} "
          "if (t == 0) y[r] = m + logf(s);")


@pytest.mark.parametrize(("least", "change", "is_equal"), [
    (32, ("", ""), True), (31, ("", ""), False), (1, ("", ""), False), (32, ("j = t;", "j = t + 1;"), False),
    (33, ("j = t;", "j = t + 1;"), False), (32, ("q * expf(p - v)", "q"), False), (64, ("j += 32", "j += 64"), False),
])
def test_each_lane_has_a_number(least: int, change: tuple[str, str], is_equal: bool, tmp_path: Path) -> None:
    """Two lanes without one would leave NaN: -infinity less -infinity."""
    two = ONLINE.format().replace(*change) if change[0] else ONLINE.format()
    found = generic(tmp_path, (ROWS.format(block=64, rows=64, least=least, body=LOG_SUM),
                               ROWS.format(block=32, rows=1, least=least, body=two)))
    assert (found is not None and found.kind is not None) is is_equal
