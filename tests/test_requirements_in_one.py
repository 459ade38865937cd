"""Requirements of the command line, one by one and in one."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = "__global__ void k(int *out, int n, int m) {\n  out[blockIdx.x * n + threadIdx.x % m] = n;\n}\n"


@pytest.mark.parametrize("texts", [["n >= 8", "max(m, n) == 1"], ["n >= 8, max(m, n) == 1"]])
def test_a_comma_parts_them(texts: list[str], run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL)
    flags = [word for text in texts for word in ("--require", text)]
    (record,) = run("check", tmp_path / "k.cu", *flags, "--format", "jsonl").records
    assert record["launch"]["requires"] == ["n >= 8", "max(m, n) == 1"]
