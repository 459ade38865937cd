"""Running means and Welford's update for all sizes; and twins that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=64 grid=(rows+63)/64 x[rows*n] w[n] y[rows] require rows > 0, rows <= 2000, {least}, n <= 2000
__global__ void k(const float *x, const float *w, float *y, int rows, int n) {{
  int r = blockIdx.x * 64 + threadIdx.x; if (r >= rows) return; const float *z = x + r * n; float s = 0, q = 0; {body} }}
"""
EACH = "for (int j = 0; j < n; j++) "
MEAN = EACH + "s += z[j]; y[r] = s / n;"
RUNNING = EACH + "s += (z[j] - s) / (j + 1); y[r] = s;"
WEIGHED = EACH + "s = (s * j + z[j]) / (j + 1); y[r] = s;"
PEELED = "s = z[0]; for (int j = 1; j < n; j++) s += (z[j] - s) / (j + 1); y[r] = s;"
COUNTED = "float c = 0; " + EACH + "{ c += 1; s += (z[j] - s) / c; } y[r] = s;"
ZERO_OF_NOTHING = EACH + "s += z[j]; if (n > 0) s /= n; y[r] = s;"
VARIANCE = EACH + "s += z[j]; float m = s / n; " + EACH + "q += (z[j] - m) * (z[j] - m); y[r] = q / n;"
ONE_PASS = EACH + "{ s += z[j]; q += z[j] * z[j]; } y[r] = (q - s * s / n) / n;"
WELFORD = EACH + "{ float d = z[j] - s; s += d / (j + 1); q += d * (z[j] - s); } y[r] = q / n;"
SQUARES = EACH + "{ float d = z[j] - s; s += d / (j + 1); q += d * d * j / (j + 1); } y[r] = q / n;"
LATER = "s = z[0]; for (int j = 1; j < n; j++) { float d = z[j] - s; s += d / (j + 1); q += d * (z[j] - s); } y[r] = q / n;"


def shown(tmp_path: Path, one: str, two: str, least: str) -> str | None:
    found = generic(tmp_path, (FRAME.format(body=one, least=least), FRAME.format(body=two, least=least)))
    return None if found is None or found.kind is None else found.kind.value


SOME, ANY = "n >= 1", "n >= 0"
GOOD = {
    "a running mean": (MEAN, RUNNING, SOME),
    "weighed by the count": (MEAN, WEIGHED, SOME),
    "from the first element on": (MEAN, PEELED, SOME),
    "the first element is put in its place twice": (MEAN, PEELED.replace("j = 1", "j = 0"), SOME),
    "counted by a float": (MEAN, COUNTED, SOME),
    "the mean of nothing": (ZERO_OF_NOTHING, RUNNING, ANY),
    "Welford against two passes": (VARIANCE, WELFORD, SOME),
    "Welford against one pass": (ONE_PASS, WELFORD, SOME),
    "squares weighed": (VARIANCE, SQUARES, SOME),
    "Welford from the first element on": (VARIANCE, LATER, SOME),
}


@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    assert shown(tmp_path, *GOOD[what]) == "real"


BAD = {
    "the mean of nothing is one": (ZERO_OF_NOTHING.replace("if (n > 0) s /= n;", "if (n > 0) s /= n; else s = 1;"), RUNNING, ANY),
    "the mean begins with one": (ZERO_OF_NOTHING, RUNNING.replace("{", "s = 1; {").replace("for", "s = 1; for"), ANY),
    "the count of the round before": (MEAN, RUNNING.replace("j + 1", "j + 2"), SOME),
    "a count that stays": (MEAN, RUNNING.replace("j + 1", "n"), SOME),
    "a count of two": (MEAN, COUNTED.replace("c += 1", "c += 2"), SOME),
    "right for four rounds": (MEAN, RUNNING.replace("(j + 1)", "(j < 4 ? j + 1 : j)"), SOME),
    "the second is left out": (MEAN, PEELED.replace("j = 1", "j = 2"), SOME),
    "the last is left out": (MEAN, RUNNING.replace("j < n", "j < n - 1"), SOME),
    "weighed by the next count": (MEAN, WEIGHED.replace("s * j", "s * (j + 1)"), SOME),
    "the distance before, twice": (VARIANCE, WELFORD.replace("d * (z[j] - s)", "d * d"), SOME),
    "the distance behind, twice": (VARIANCE, WELFORD.replace("d * (z[j] - s)", "(z[j] - s) * (z[j] - s)"), SOME),
    "twice as much": (VARIANCE, WELFORD.replace("d * (z[j] - s)", "2 * d * (z[j] - s)"), SOME),
    "begun with one": (VARIANCE, WELFORD.replace("for", "q = 1; for"), SOME),
    "of the mean of another": (VARIANCE, WELFORD.replace("s += d", "s += w[j] * d"), SOME),
    "less one": (VARIANCE, WELFORD.replace("q / n", "q / (n - 1)"), "n >= 2"),
    "squares weighed otherwise": (VARIANCE, SQUARES.replace("d * d * j", "d * d * (j + 1)"), SOME),
    "the first one counts for its square": (VARIANCE, LATER.replace("s = z[0];", "s = z[0]; q = s * s;"), SOME),
    "a count that goes through zero": (EACH + "s = (s * (j - 3) + z[j]) / (j - 2); y[r] = s;", MEAN.replace("/ n", "/ (n - 3)"),
                                       "n >= 5"),
    "a count that begins before zero": (MEAN.replace("j = 0", "j = -2"), RUNNING.replace("j = 0", "j = -2"), SOME),
    "the mean is kept in every other round": (VARIANCE, WELFORD.replace("s += d", "if (j % 2 == 0) s += d"), SOME),
}


@pytest.mark.sliced(6)
@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    assert shown(tmp_path, *BAD[what]) is None
