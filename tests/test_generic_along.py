"""Recurrences whose rounds are cut otherwise, for all sizes: peeled, unrolled, split, in tiles; and slips of each.

A step is what one round does to `s` and `t`, of the element J; a form is how the loops go through the rounds. Each form of each
step leaves the same bits. A slip changes one place of a form, and no step is blind to it.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from test_generic import ALL, compared, generic

from equivalence.result import EqualityClass, EquivVerdict

ROWS = """// spmd: block=64 grid=(rows+63)/64 x[rows*n] y[rows] require rows >= 1, rows <= 2000, n >= 0, n <= 1000
__global__ void k(const float *x, float *y, int rows, int n) {{
  int r = blockIdx.x * 64 + threadIdx.x; if (r >= rows) return;
  const float *w = x + r * n; float s = {begin}, t = 1.0f; {body} y[r] = {end};
}}
"""
STEPS = {
    "a sum": ("0.0f", "s = s + w[J];", "s"),
    "what is nearer": ("0.0f", "s = fabsf(s - w[J]);", "s"),
    "squares": ("0.5f", "s = s * s * 0.25f + w[J];", "s"),
    "the largest or half": ("0.5f", "s = w[J] > s ? w[J] : s * 0.5f;", "s"),
    "two that go into each other": ("0.25f", "{ float o = s; s = s * 0.5f + t; t = o * w[J] + t; }", "s + 2.0f * t"),
    "two in turn": ("2.0f", "{ float o = t; t = s; s = o * 0.5f + w[J]; }", "s - t"),
    "the largest and its mate": ("-3.0f", "if (w[J] > s) { s = w[J]; t = w[n - 1 - J]; }", "s * 1000.0f + t"),
}
FORMS = {
    "the last first": ("for (int j = n; j > 0; j--) STEP(n - j)", {"n - j": "j - 1"}),
    "one before": ("if (n > 0) STEP(0) for (int j = 1; j < n; j++) STEP(j)", {"j = 1": "j = 2", "n > 0": "n > 1"}),
    "two before": ("if (n > 0) STEP(0) if (n > 1) STEP(1) for (int j = 2; j < n; j++) STEP(j)",
                   {"STEP(1)": "STEP(0)", "n > 1": "n > 2"}),
    "unrolled, a rest": ("int j = 0; for (; j + 2 < n; j += 3) { STEP(j) STEP(j + 1) STEP(j + 2) } for (; j < n; j++) STEP(j)",
                         {" for (; j < n; j++) STEP(j)": "", "STEP(j + 1) STEP(j + 2)": "STEP(j + 2) STEP(j + 1)",
                          "j += 3": "j += 2", "; j < n; j++": "; j < n - 1; j++"}),
    "numbered, a rest": ("int m = n / 2; for (int q = 0; q < m; q++) { STEP(2 * q) STEP(2 * q + 1) } "
                         "for (int j = 2 * m; j < n; j++) STEP(j)",
                         {"q < m": "q < m - 1", "j = 2 * m": "j = 2 * m + 1", "2 * q + 1": "2 * q"}),
    "the odd one first": ("if (n % 2) STEP(0) for (int j = n % 2; j < n; j += 2) { STEP(j) STEP(j + 1) }",
                          {"if (n % 2)": "if (n % 2 == 0 && n > 0)", "STEP(0)": "STEP(n - 1)"}),
    "the odd one last": ("for (int q = 0; q < n / 2; q++) { STEP(2 * q) STEP(2 * q + 1) } if (n % 2) STEP(n - 1)",
                         {"if (n % 2)": "if (n % 2 == 0 && n > 0)", "q < n / 2": "q < n / 2 - 1", "2 * q + 1": "2 * q"}),
    "two of a rest": ("int j = 0; for (; j + 2 < n; j += 3) { STEP(j) STEP(j + 1) STEP(j + 2) } "
                      "if (j < n) STEP(j) if (j + 1 < n) STEP(j + 1)",
                      {"if (j + 1 < n)": "if (j + 2 < n)", " if (j < n) STEP(j)": ""}),
    "tiles": ("for (int f = 0; f < n; f += 8) { int m = min(8, n - f); for (int c = 0; c < m; c++) STEP(f + c) }",
              {"c = 0": "c = 1", "n - f": "n - f - 1", "min(8": "min(7", "f = 0": "f = 8", "f + c": "f + m - 1 - c"}),
    "tiles by their ends": ("for (int f = 0; f < n; f += 4) for (int j = f; j < min(f + 4, n); j++) STEP(j)",
                            {"min(f + 4, n)": "min(f + 4, n - 1)", "f += 4": "f += 5"}),
    "in two halves": ("for (int j = 0; j < n / 2; j++) STEP(j) for (int j = n / 2; j < n; j++) STEP(j)",
                      {"j = n / 2": "j = (n + 1) / 2", "j < n / 2": "j < (n + 1) / 2"}),
    "behind the first tile": ("for (int j = 0; j < min(5, n); j++) STEP(j) for (int j = 5; j < n; j++) STEP(j)",
                              {"j = 5": "j = 6", "min(5, n)": "min(4, n)"}),
}
PLAIN = "for (int j = 0; j < n; j++) STEP(j)"
BEGINS = {"0.0f": "0.5f", "0.5f": "0.75f", "0.25f": "0.5f", "2.0f": "0.5f", "-3.0f": "-2.0f"}
ONE = ("a sum", "what is nearer", "squares")
"""The steps that are followed where a rest stands behind the loop, without one of its own."""
SAME = [(form, step) for form in FORMS for step in STEPS if step in ONE or form not in ("the odd one last", "two of a rest")]
SLIPS = [(form, old) for form, (_, slips) in FORMS.items() for old in slips]


def written(step: str, loops: str, begin: str | None = None) -> str:
    """A kernel of a step, its rounds made as loops say."""
    first, round_, end = STEPS[step]
    body = ""
    while "STEP(" in loops:
        before, _, rest = loops.partition("STEP(")
        index, _, loops = rest.partition(")")
        body += before + "{ " + round_.replace("J", f"({index})") + " }"
    return ROWS.format(begin=begin or first, body=body + loops, end=end)


def shown(folder: Path, *texts: str) -> EqualityClass | None:
    found = generic(folder, (texts[0], texts[1]))
    assert found is not None
    return found.kind


@pytest.mark.sliced(10)
@pytest.mark.parametrize(("form", "step"), SAME)
def test_the_same_rounds(form: str, step: str, tmp_path: Path) -> None:
    assert shown(tmp_path, written(step, PLAIN), written(step, FORMS[form][0])) is EqualityClass.BITWISE


@pytest.mark.sliced(10)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(("form", "old"), SLIPS)
def test_slips(step: str, form: str, old: str, tmp_path: Path) -> None:
    """Another order is none in a sum of reals, and there alone."""
    loops, slips = FORMS[form]
    assert old in loops
    kind = shown(tmp_path, written(step, PLAIN), written(step, loops.replace(old, slips[old])))
    is_only_order = step == "a sum" and slips[old] in ("STEP(j + 2) STEP(j + 1)", "f + m - 1 - c", "j - 1")
    assert kind is None or (is_only_order and kind is EqualityClass.REAL), kind


@pytest.mark.sliced(10)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("form", FORMS)
def test_another_beginning(step: str, form: str, tmp_path: Path) -> None:
    other = written(step, FORMS[form][0], BEGINS[STEPS[step][0]])
    assert shown(tmp_path, written(step, PLAIN), other) is None


@pytest.mark.drawn(4)
def test_another_step(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    one, two = draw.sample(list(STEPS), 2)
    form = draw.choice(list(FORMS))
    assert shown(tmp_path, written(one, PLAIN), written(two, FORMS[form][0], STEPS[one][0])) is None


BACKWARDS = "s += as[ty][l] * bs[l][tx];", "s += as[ty][15 - l] * bs[15 - l][tx];"
TILED = ["matmul_shared_whole_tiles", "matmul_shared_ragged_guarded", "matmul_register_tile_1d", "matmul_float4_tile",
         "matmul_warp_tiles", "recurrence_unrolled"]


@pytest.mark.sliced(4)
@pytest.mark.parametrize("name", TILED)
def test_products_in_tiles(name: str, tmp_path: Path) -> None:
    """Each sum is added up in the same order: equal to the bit, as the pair says and as compiled C++ does."""
    pair = ALL[name]
    assert pair.equality == "bitwise"
    report = compared(pair, pair.folder)
    assert report.verdict is EquivVerdict.EQUAL, report.reason
    assert report.equality is EqualityClass.BITWISE
    assert report.assurance == "proved"


def test_another_order_in_a_tile_is_real(tmp_path: Path) -> None:
    """The elements of each tile backwards: the same sum, and not the same bits."""
    for side in "ab":
        text = ALL["matmul_shared_whole_tiles"].text(side)
        (tmp_path / f"{side}.cu").write_text(text.replace(*BACKWARDS) if side == "b" else text)
        assert side == "a" or BACKWARDS[0] in text
    report = compared(ALL["matmul_shared_whole_tiles"], tmp_path)
    assert report.equality is EqualityClass.REAL


@pytest.mark.parametrize(("tile", "is_equal"), [(4, True), (8, False)])
def test_numbers_whose_digits_double(tile: int, is_equal: bool, tmp_path: Path) -> None:
    """Where rounds square a number, four tiles of eight would make one of as many digits as no memory holds."""
    ours, theirs = (ROWS.format(begin="3.0f", body=loops + " { s = s * s - 1.0f; }", end="s + w[0]").replace(
        "n >= 0", f"n >= 1, n % {tile} == {0 if is_equal else 1}")
        for loops in ("for (int j = 0; j < n; j++)", f"for (int f = 0; f < n; f += {tile}) for (int c = 0; c < {tile}; c++)"))
    assert shown(tmp_path, ours, theirs) is (EqualityClass.BITWISE if is_equal else None)
