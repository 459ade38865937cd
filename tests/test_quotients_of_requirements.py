"""Quotients in requirements are those rounded down where nothing is negative, and only there: they say no more than C's."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = """// spmd: block=64 grid=(n+63)/64 out[n] in[n] require n >= 100, n <= 1000, s >= -1000, s <= 1000, s != 0, {what}
__global__ void k(float *out, const float *in, int n, int s) {{
  int i = blockIdx.x * 64 + threadIdx.x;
  float t = 0;
  if (i < n && ({when})) {{
    for (int k = 0; k < n; k++) t += in[k];
    out[i] = t;
  }}
}}
"""


def asked(what: str, one: str, two: str, run: Run, tmp_path: Path) -> str:
    for name, when in (("a", one), ("b", two)):
        (tmp_path / f"{name}.cu").write_text(KERNEL.format(what=what, when=when))
    (record,) = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl").records
    return str(record["verdict"])


@pytest.mark.parametrize(("what", "when"), [
    ("n / s < 0 || s > 0", "s > 0"), ("n / s < 0 || s > 0", "s != -777 || n != 987"), ("n / s < 0 || s > 5", "s > 5"),
    ("n / s < 0", "s != -777 || n != 987"), ("n / s / 2 < 0 || s > 0", "s != -7 || n != 987")])
def test_a_divisor_that_may_be_negative_is_not_left_out(what: str, when: str, run: Run, tmp_path: Path) -> None:
    assert asked(what, "true", when, run, tmp_path) not in ("equal", "invalid")


@pytest.mark.parametrize(("what", "when"), [("s > 0, n / s > 20", "n / s > 20"), ("s > 0, s < n / 3", "s < n / 3"),
                                            ("s > 0, n / s >= 20", "s <= 50")])
def test_of_what_is_not_negative_they_tell_what_they_do(what: str, when: str, run: Run, tmp_path: Path) -> None:
    assert asked(what, "true", when, run, tmp_path) == "equal"
