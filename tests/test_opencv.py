"""Kernels on OpenCV's matrices, whose headers a checkout does not hold: the stub stands for the classes of parameters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

KERNEL = """#include "opencv2/core/cuda/common.hpp"
namespace cv { namespace cuda { namespace device {
// spmd: block=32,8 grid=2,3
__global__ void k(const PtrStepSzb src, PtrStepSz<T> dst, PtrStep<T> other) {
  __shared__ int tile[8][32];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = src.data[threadIdx.x];
  BODY
}
}}}
"""


@pytest.mark.parametrize(("kind", "body", "verdict"), [
    ("int", "if (x < dst.cols && threadIdx.y < 2 && blockIdx.y == 0) dst(0, x) = y;", "refuted"),
    ("int", "if (x < dst.cols && blockIdx.y == 0 && threadIdx.y == 0) dst(0, x) = src(0, x);", "proved"),
    ("int", "if (y == 1) dst.ptr(y)[x] = x;", "proved"),
    ("unsigned char", "if (y == 1) dst.ptr(y)[x] = x;", "proved"),
    ("int", "if (y == 1) dst.data[x / 2] = x;", "refuted"),
    ("int", "__syncthreads(); if (y == 1) other.ptr(y)[x] = tile[7 - threadIdx.y][threadIdx.x];", "proved"),
    ("int", "if (y == 1) other.ptr(y)[x] = tile[7 - threadIdx.y][threadIdx.x];", "refuted"),
])
def test_matrices_that_kernels_are_passed(kind: str, body: str, verdict: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    """Rows lie anywhere; that they begin at elements is told where elements are wider than bytes."""
    text = KERNEL.replace("BODY", body).replace("PtrStepSz<T>", f"PtrStepSz<{kind}>").replace("PtrStep<T>", f"PtrStep<{kind}>")
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["verdict"] == verdict, record
    told = [text for text in record["assumptions"] if "OpenCV" in text]
    assert bool(told) == (kind == "int" and (".ptr" in body or "dst(" in body))


def test_what_the_stub_does_not_have_is_named(run: Run, kernel_file: Callable[..., Path]) -> None:
    text = KERNEL.replace("BODY", "dst(0, x) = saturate_cast<unsigned char>(x);").replace("<T>", "<int>")
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["verdict"] in ("unsupported", "invalid") and "saturate_cast" in str(record["reason"]), record
