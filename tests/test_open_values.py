"""A counterexample that needs a parameter below zero, of which the host code says nothing, does not refute its launch."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

TEXT = """#include <cstdlib>
__global__ void k(int *x, int s, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
  if ({test}) x[0] = i;
}}
int main(int argc, char **argv) {{
  int *x, s = {value}, n = atoi(argv[2]);
  k<<<4, 64>>>(x, s, n);
}}
"""


def _file(folder: Path, test: str, value: str = "atoi(argv[1])") -> Path:
    path = folder / "k.cu"
    path.write_text(TEXT.format(test=test, value=value))
    return path


def test_below_zero_alone_leaves_the_launch_open(run: Run, tmp_path: Path) -> None:
    path = _file(tmp_path, "s < 0")
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "unknown" and record["properties"]["race-free"] == "unknown"
    assert "require s >= 0" in record["reason"]
    assert {finding["status"] for finding in record["findings"]} <= {"potential", "benign"}
    said = run("check", path).out
    assert "--require 's >= 0'" in said and "beyond" in said
    record, = run("check", path, "--require", "s >= 0", "--format", "jsonl").records
    assert record["verdict"] == "proved"


@pytest.mark.parametrize("test", ["s <= 0", "s < 1000 && s > -7", "n < 5", "s < 0 || n == 0"])
def test_what_happens_from_zero_on_refutes(test: str, run: Run, tmp_path: Path) -> None:
    record, = run("check", _file(tmp_path, test), "--format", "jsonl").records
    assert record["verdict"] == "refuted"


def test_what_the_program_passes_refutes(run: Run, tmp_path: Path) -> None:
    record, = run("check", _file(tmp_path, "s < 0", "-1"), "--format", "jsonl").records
    assert record["verdict"] == "refuted"


def test_all_sizes_are_all(run: Run, tmp_path: Path) -> None:
    record, *_ = run("check", _file(tmp_path, "s < 0"), "--all-sizes", "--format", "jsonl").records
    assert record["verdict"] == "refuted"
