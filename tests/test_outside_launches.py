"""An equality that takes for granted that accesses lie inside their arrays is not told where a run shows one outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

FRAME = """// spmd: block=64 grid=g x[g*64] y[g*64] require g >= 1, g <= 4000, m >= 0, m <= {most}
__global__ void {name}(const float *x, float *y, int g, int m) {{
  __shared__ float s[{size}];
  int t = threadIdx.x, b = blockIdx.x, p = 0;
  for (int j = 0; j < m; j++) p = p ^ (j * 5);
  if (t == 0) s[p & 63] = 1;
  {stores}
}}
"""
"""No proof says what p is: it is 63 modulo 64 at m = 51 alone, of the sizes up to 100, and 53 at most up to m = 19."""
ONE, TWO = "y[b * 64 + t] = x[b * 64 + t] * 2.0f;", "y[b * 64 + t] = 2.0f * x[b * 64 + t];"
OTHERWISE = "float v = x[b * 64 + t]; y[b * 64 + t] = v + v;"


def asked(run: Run, tmp_path: Path, size: int, most: int, second: str = TWO) -> dict[str, object]:
    for name, stores in (("a", ONE), ("b", second)):
        (tmp_path / f"{name}.cu").write_text(FRAME.format(size=size, most=most, stores=stores, name="k"))
    (record,) = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl").records
    return record


@pytest.mark.parametrize("second", [TWO, OTHERWISE])
def test_one_size_at_which_an_access_lies_outside(run: Run, tmp_path: Path, second: str) -> None:
    record = asked(run, tmp_path, 63, 100, second)
    assert record["verdict"] != "equal", record
    if second == TWO:
        assert record["verdict"] == "nondeterministic"
        found = record["findings"]
        assert isinstance(found, list)
        assert found[0]["rule"] == "out-of-bounds"
        assert found[0]["sizes"]["m"] == 51
        assert "not shown" not in str(record["assumptions"])


def test_inside_at_every_size_of_the_scope(run: Run, tmp_path: Path) -> None:
    """Seen by runs alone, so the assumption is told."""
    record = asked(run, tmp_path, 54, 19)
    assert record["verdict"] == "equal", record
    assert "lies inside it (not shown)" in str(record["assumptions"])
    assert "a: every access of s lies inside it, b: every access of b.s lies inside it" in str(record["scope"])
    assert asked(run, tmp_path, 53, 19)["verdict"] == "nondeterministic"


def test_inside_by_its_mask(run: Run, tmp_path: Path) -> None:
    record = asked(run, tmp_path, 64, 100)
    assert record["verdict"] == "equal", record
    assert "not shown" not in str(record["assumptions"])

