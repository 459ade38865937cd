"""Divisors that sizes make: where one may be zero, the scope of an equality says that it is not; runs are made where it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

FRAME = """// spmd: block=128 grid=(rows+127)/128 x[rows*n] w[1] y[rows] require rows >= 1, rows <= 40000, n >= {least}, n <= 1000
__global__ void k(const float *x, const float *w, float *y, int rows, int n) {{
  int r = blockIdx.x * 128 + threadIdx.x; if (r >= rows) return; float s = 0; {body} }}
"""
EACH = "for (int j = 0; j < n; j++) "
WHOLE = EACH + "s += x[r * n + j]; y[r] = s "
RUNNING = EACH + "s += (x[r * n + j] - s) / (j + 1); y[r] = s;"


def asked(run: Run, tmp_path: Path, one: str, two: str, least: int) -> dict[str, object]:
    for name, body in (("a", one), ("b", two)):
        (tmp_path / f"{name}.cu").write_text(FRAME.format(body=body, least=least))
    (record,) = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl").records
    return record


@pytest.mark.parametrize(("one", "two", "least", "scope"), [
    (WHOLE + "/ n;", RUNNING, 1, ""),
    (WHOLE + "/ n;", WHOLE + "* (1.0f / n);", 0, "n != 0"),
    (WHOLE + "/ n;", WHOLE + "* (1.0f / n);", 1, ""),
    (WHOLE + "/ (n - 500);", EACH + "s += x[r * n + j] / (n - 500); y[r] = s;", 0, "n != 500"),
    (WHOLE + "/ (7 - n);", WHOLE + "* (1 / (7.0f - n));", 0, "n != 7"),
    (WHOLE + "/ (2.0f * n - 6);", WHOLE + "* 0.5f / (n - 3.0f);", 0, "n != 3"),
    (WHOLE + "/ (n * w[0]);", WHOLE + "/ w[0] / n;", 0, "n != 0"),
])
def test_a_scope_says_where_nothing_is_divided_by_zero(run: Run, tmp_path: Path, one: str, two: str, least: int,
                                                       scope: str) -> None:
    record = asked(run, tmp_path, one, two, least)
    assert record["verdict"] == "equal", record
    assert ("!=" in str(record["scope"])) is bool(scope)
    assert scope in str(record["scope"])


@pytest.mark.parametrize(("one", "two", "at"), [
    (WHOLE + "/ n;", RUNNING, 0),
    (WHOLE + "/ n * n;", WHOLE + ";", 0),
    (WHOLE + "/ (n - 500) * (n - 500);", WHOLE + ";", 500),
    (WHOLE + "* (n - 731) / (n - 731);", WHOLE + ";", 731),
    (WHOLE + "* (3 * n - 2193) / (3 * n - 2193);", WHOLE + ";", 731),
    (WHOLE + "* (n * n - 533361 + 1460) / (n * n - 533361 + 1460.0f);", WHOLE + ";", None),
])
def test_a_run_where_a_divisor_is_zero_shows_a_difference(run: Run, tmp_path: Path, one: str, two: str, at: int | None) -> None:
    """The last one is zero at no size."""
    record = asked(run, tmp_path, one, two, 0)
    if at is None:
        assert record["verdict"] == "equal", record
        return
    assert record["verdict"] == "different", record
    counterexample = record["counterexample"]
    assert isinstance(counterexample, dict)
    assert counterexample["sizes"]["n"] == at


@pytest.mark.parametrize(("divisor", "verdict"), [("i - 5000", "different"), ("n - i", "equal")])
def test_a_thread_that_divides_by_zero_where_its_guard_lets_it(divisor: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """The thread that makes a divisor zero is let in by sizes that the divisor says nothing of."""
    frame = ("// spmd: block=64 grid=(n+63)/64 x[n] y[n] require n >= 0\n__global__ void k(const float *x, float *y, int n) {{\n"
             "  int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = {}; }}\n")
    for name, value in (("a", f"x[i] * ({divisor}) / ({divisor})"), ("b", "x[i]")):
        (tmp_path / f"{name}.cu").write_text(frame.format(value))
    (record,) = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl").records
    assert record["verdict"] == verdict, record
