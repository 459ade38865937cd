"""Places of maxima and minima for all sizes: loops, lanes, warps and trees; and twins that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

ROWS = """// spmd: block=128 grid=(rows+127)/128 x[rows*cols] y[rows] require rows > 0, rows <= 20000, {least}, cols <= 20000
__global__ void k(const {kind} *x, {place} *y, int rows, int cols) {{
  int r = blockIdx.x * 128 + threadIdx.x; if (r >= rows) return; const {kind} *z = x + r * cols; {body} }}
"""
BLOCK = """// spmd: block=8 grid=rows x[rows*cols] y[rows] require rows > 0, rows <= 20000, {least}, cols <= 20000
__global__ void k(const {kind} *x, {place} *y, int rows, int cols) {{
  int t = threadIdx.x, r = blockIdx.x; const {kind} *z = x + r * cols; {body} }}
"""
SERIAL = "{kind} m = z[0]; int p = 0; for (int j = 1; j < cols; j++) if (z[j] > m) {{ m = z[j]; p = j; }} y[r] = p;"
VALUE = SERIAL.replace("p = j;", "").replace("= p", "= m")
LAST = SERIAL.replace("z[j] > m", "z[j] >= m")
LEAST = SERIAL.replace("z[j] > m", "z[j] < m")
BACKWARDS = ("{kind} m = z[cols - 1]; int p = cols - 1; "
             "for (int j = cols - 2; j >= 0; j--) if (z[j] >= m) {{ m = z[j]; p = j; }} y[r] = p;")
FROM_NOTHING = "{kind} m = {low}; int p = {none}; for (int j = 0; j < cols; j++) if (z[j] > m) {{ m = z[j]; p = j; }} y[r] = p;"
BY_CHOICE = ("{kind} m = z[0]; int p = 0; for (int j = 1; j < cols; j++) "
             "{{ p = !(z[j] <= m) ? j : p; m = m < z[j] ? z[j] : m; }} y[r] = p;")
LANES = "{kind} m = {low}; int p = {none}; for (int j = t; j < cols; j += 8) if (z[j] > m) {{ m = z[j]; p = j; }} "
FIRST = "z[j] > m || (z[j] == m && j < p)"
JOIN = ("{{ {kind} v = s[t + d]; int w = q[t + d]; if (v > s[t] || (v == s[t] && w < q[t])) {{ s[t] = v; q[t] = w; }} }} "
        "__syncthreads(); }} if (t == 0) y[r] = q[0];")
SHARED = LANES + "__shared__ {kind} s[8]; __shared__ int q[8]; s[t] = m; q[t] = p; __syncthreads(); "
TREE = SHARED + "for (int d = 4; d > 0; d /= 2) {{ if (t < d) " + JOIN
UPWARDS = SHARED + "for (int d = 1; d < 8; d *= 2) {{ if (t % (2 * d) == 0) " + JOIN
WARP = (LANES.replace("j += 8", "j += 32")
        + "for (int d = 16; d > 0; d /= 2) {{ {kind} v = __shfl_xor_sync(0xffffffffu, m, d); "
        "int w = __shfl_xor_sync(0xffffffffu, p, d); bool is = m < v || (m == v && w < p); "
        "m = is ? v : m; p = is ? w : p; }} if (t == 0) y[r] = p;")
FIRST_TREE = TREE.replace("z[j] > m", FIRST)
LAST_TREE = TREE.replace("z[j] > m", "z[j] >= m").replace("w < q[t]", "w > q[t]")
LEAST_TREE = FIRST_TREE.replace("z[j] > m", "z[j] < m").replace("v > s[t]", "v < s[t]")
INT = {"kind": "int", "place": "int", "low": "-2147483647 - 1", "none": "2147483647", "least": "cols >= 1"}
FLOAT = {**INT, "kind": "float", "low": "-INFINITY", "none": "-1"}
EMPTY = {**INT, "least": "cols >= 0"}


def shown(tmp_path: Path, one: tuple[str, str], two: tuple[str, str], names: dict[str, str]) -> str | None:
    texts = [frame.format(body=body.format(**names), **names) for frame, body in (one, two)]
    found = generic(tmp_path, (texts[0], texts[1]))
    return None if found is None or found.kind is None else found.kind.value


GOOD = {
    "backwards": ((ROWS, SERIAL), (ROWS, BACKWARDS), INT, "int"),
    "by choices": ((ROWS, SERIAL), (ROWS, BY_CHOICE), INT, "int"),
    "a tree": ((ROWS, SERIAL), (BLOCK, FIRST_TREE), INT, "int"),
    "a tree of floats": ((ROWS, SERIAL), (BLOCK, TREE), FLOAT, "real-exp-max"),
    "two trees of rows that may be empty": ((BLOCK, FIRST_TREE), (BLOCK, UPWARDS.replace("z[j] > m", FIRST)), EMPTY, "int"),
    "the least": ((ROWS, LEAST), (BLOCK, LEAST_TREE), {**INT, "low": "2147483647"}, "int"),
    "the last": ((ROWS, LAST), (BLOCK, LAST_TREE), {**INT, "none": "-2147483647 - 1"}, "int"),
}


@pytest.mark.sliced(3)
@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    one, two, names, kind = GOOD[what]
    assert shown(tmp_path, one, two, names) == kind


@pytest.mark.sliced(3)
def test_warp(tmp_path: Path) -> None:
    wide = BLOCK.replace("block=8", "block=32")
    assert shown(tmp_path, (ROWS, SERIAL), (wide, WARP), FLOAT) == "real-exp-max"


BAD = {
    "the last of equals": ((ROWS, SERIAL), (ROWS, LAST), INT),
    "backwards, the last of equals": ((ROWS, SERIAL), (ROWS, BACKWARDS.replace("z[j] >= m", "z[j] > m")), INT),
    "lanes in turns, the first lane of equals": ((ROWS, SERIAL), (BLOCK, FIRST_TREE.replace("(v == s[t] && w < q[t])", "false")),
                                                 INT),
    "the last lane's place of equals": ((ROWS, SERIAL), (BLOCK, FIRST_TREE.replace("w < q[t]", "w > q[t]")), INT),
    "a level left out": ((ROWS, SERIAL), (BLOCK, FIRST_TREE.replace("d > 0", "d > 1")), INT),
    "rows of the least value alone: no place is taken": ((ROWS, SERIAL), (BLOCK, TREE), INT),
    "no element of the least value is taken, and -1 is left": ((ROWS, SERIAL), (ROWS, FROM_NOTHING), {**INT, "none": "-1"}),
    "an empty row: what it began with": ((ROWS, FROM_NOTHING), (ROWS, FROM_NOTHING.replace("{none}", "-2")),
                                         {**FLOAT, "least": "cols >= 0"}),
    "what nothing has left is taken off": (
        (ROWS, FROM_NOTHING.replace("y[r] = p;", "int q = p; m = {low}; p = -2; for (int j = 0; j < cols; j++) "
                                    "if (z[j] > m) {{ m = z[j]; p = j; }} y[r] = p - q;")),
        (ROWS, "y[r] = 0;"), {**FLOAT, "least": "cols >= 0"}),
    "an empty row in lanes": ((BLOCK, TREE), (BLOCK, TREE.replace("{none}", "-2")), {**FLOAT, "least": "cols >= 0"}),
    "places as unsigned integers": ((BLOCK, TREE), (BLOCK, TREE.replace("w < q[t]", "(unsigned)w < (unsigned)q[t]")),
                                    {**INT, "none": "-1"}),
    "as signed and as unsigned integers": ((ROWS, SERIAL), (ROWS, SERIAL.replace(
        "z[j] > m", "z[j] > m && (unsigned)z[j] > (unsigned)m")), INT),
    "as signed or as unsigned integers": ((ROWS, SERIAL), (ROWS, SERIAL.replace(
        "z[j] > m", "z[j] > m || (unsigned)z[j] > (unsigned)m")), INT),
    "the value alone, as signed and as unsigned": ((ROWS, VALUE), (ROWS, VALUE.replace(
        "z[j] > m", "z[j] > m && (unsigned)z[j] > (unsigned)m")), INT),
    "places as signed and as unsigned": ((BLOCK, TREE), (BLOCK, TREE.replace(
        "w < q[t]", "w < q[t] && (unsigned)w < (unsigned)q[t]")), {**INT, "none": "-1"}),
    "the place before": ((ROWS, SERIAL), (ROWS, SERIAL.replace("p = j;", "p = j - 1;")), INT),
    "the value is not kept": ((ROWS, SERIAL), (ROWS, SERIAL.replace("m = z[j]; p", "p")), INT),
    "places that go down": ((ROWS, SERIAL.replace("p = j;", "p = cols - j;")),
                            (ROWS, BACKWARDS.replace("p = j;", "p = cols - j;")), INT),
    "the least against the greatest": ((ROWS, SERIAL), (ROWS, LEAST), INT),
    "integers compared as unsigned": ((ROWS, SERIAL), (ROWS, SERIAL.replace("z[j] > m", "(unsigned)z[j] > (unsigned)m")), INT),
    "cut to a short": ((ROWS, SERIAL), (ROWS, SERIAL.replace("int p", "short p")), INT),
    "compared as shorts": ((ROWS, SERIAL), (ROWS, SERIAL.replace("z[j] > m", "(short)z[j] > (short)m")), INT),
    "one element too few": ((ROWS, SERIAL), (ROWS, SERIAL.replace("j < cols", "j < cols - 1")), INT),
    "the first one is not looked at": ((ROWS, FROM_NOTHING), (ROWS, FROM_NOTHING.replace("j = 0", "j = 1")), FLOAT),
}


@pytest.mark.sliced(6)
@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    one, two, names = BAD[what]
    assert shown(tmp_path, one, two, names) is None
