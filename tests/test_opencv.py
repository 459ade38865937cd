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


DECLARED = """#include "opencv2/core.hpp"
namespace cv { namespace cuda {
CV_EXPORTS_W void reduce(InputArray from, OutputArray to, int way, Stream &stream = Stream::Null());
class CV_EXPORTS Detector : public Algorithm { public: CV_WRAP virtual void detect(InputArray image, CV_OUT int &found) = 0; };
}}
__device__ int reduce(int *s, int lane) {
    CV_UNUSED(lane);
    for (int step = 16; step; step /= 2) {
        if (lane < step) s[lane] += s[lane + step];
        BARRIER
    }
    return s[0];
}
// spmd: block=32 grid=4
__global__ void summed(const int *in, int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    int sum = reduce(s, threadIdx.x);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
"""


@pytest.mark.parametrize(("barrier", "verdict"), [("__syncthreads();", "proved"), ("", "refuted")])
def test_declarations_for_the_host_beside_kernels(barrier: str, verdict: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    """Marks of declarations and classes of the host by name take nothing away from a kernel that calls a function of the same
    name."""
    (record,) = run("check", kernel_file(DECLARED.replace("BARRIER", barrier)), "--format", "jsonl").records
    assert record["verdict"] == verdict, record
