"""The pitch that the runtime gives rows: at least as many bytes as a row was asked to have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
KERNEL = """#include <cuda_runtime.h>
#include <cstdlib>
__global__ void k(char *x, size_t pitch, int w, int h) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if ({test} && j < h) ((float *)(x + j * pitch))[i] = i + j;
}}
void run(int w, int h) {{
  char *x;
  {code}
  k<<<dim3((w + 63) / 64, h), 64>>>(x, pitch, w, h);
}}
"""
PLAIN = "size_t pitch; cudaMallocPitch((void **)&x, &pitch, w * sizeof(float), h);"


def verdict(run: Run, path: Path, code: str, test: str = "i < w") -> str:
    path.write_text(KERNEL.format(code=code, test=test))
    """The verdict of all launches that are told apart: what is proved for one pitch is not for another."""
    verdicts = {str(each["verdict"]) for each in run("check", path, "--format", "jsonl").records}
    return "proved" if verdicts == {"proved"} else ", ".join(sorted(verdicts))


@pytest.mark.parametrize("code", [
    PLAIN, "size_t pitch = 0; cudaMallocPitch(&x, &pitch, sizeof(float) * w, h);",
    "size_t pitch; cudaError_t e; e = cudaMallocPitch(&x, &pitch, w * sizeof(float), h);",
    "size_t pitch; cudaMallocPitch(&x, &pitch, (w + 3) * sizeof(float), h);",
])
def test_rows_do_not_meet(code: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path / "k.cu", code) == "proved"


@pytest.mark.parametrize("code", [
    "size_t pitch = 4; if (h > 2) cudaMallocPitch(&x, &pitch, w * sizeof(float), h);", f"{PLAIN} pitch /= 2;",
    "size_t pitch; cudaMallocPitch(&x, &pitch, w, h);", f"{PLAIN} w += 1;", f"{PLAIN} size_t *q = &pitch; *q = 4;",
    "size_t pitch = 4; h > 2 && cudaMallocPitch(&x, &pitch, w * sizeof(float), h);",
    "size_t pitch = 4; for (int i = 0; i < h; i++) cudaMallocPitch(&x, &pitch, w * sizeof(float), h);",
])
def test_what_may_have_changed_is_not_believed(code: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path / "k.cu", code) != "proved"


def test_rows_that_are_longer_meet(run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path / "k.cu", PLAIN, test="i <= w") != "proved"
