"""Functions of PyTorch on the way to a launch: quotients that are rounded up, and what makes tensors and leaves sizes alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

TEXT = """#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
{before}
__global__ void k(int *x, int n) {{ if (gridDim.x != (n + 63) / 64) x[0] = threadIdx.x; }}
void go(int *x, int n) {{
  const int blocks = {call};
  k<<<blocks, 64>>>(x, n);
}}
"""


def verdict(run: Run, folder: Path, text: str) -> str:
    (folder / "k.cu").write_text(text)
    (record,) = run("check", folder / "k.cu", "--format", "jsonl").records
    return str(record["verdict"])


@pytest.mark.parametrize("call", [
    "at::ceil_div(n, 64)", "at::cuda::ATenCeilDiv(n, 64)", "THCCeilDiv(n, 64)", "::at::ceil_div(n, 64)", "ATenCeilDiv(n, 64)",
    "at::ceil_div(n, int(sizeof(long) * 8))",
])
def test_a_quotient_that_is_rounded_up(call: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, TEXT.format(before="", call=call)) == "proved"


@pytest.mark.parametrize(("call", "before"), [
    ("at::ceil_div(n, 32)", ""), ("at::ceil_div(n + 1, 64)", ""), ("ceil_div(n, 64)", ""), ("mine::ceil_div(n, 64)", ""),
    ("at::ceil_div(n, 64)", "namespace at { int ceil_div(int a, int b) { return a / b; } }"),
    ("THCCeilDiv(n, 64)", "int THCCeilDiv(int a, int b);"), ("at::floor_div(n, 64)", ""),
])
def test_what_is_another_one(call: str, before: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, TEXT.format(before=before, call=call)) != "proved"


SIZED = """#include <torch/extension.h>
{before}
__global__ void k(float *x, int n) {{ if (gridDim.x != n) x[0] = threadIdx.x; }}
void go(at::Tensor t) {{
  int n = t.size(0), m = 3;
  const int blocks = n;
  {made}
  k<<<blocks, 64>>>(t.data_ptr<float>(), n);
}}
"""
MAKERS = [
    "auto y = torch::zeros({n, 3}, t.options());", "at::Tensor y = at::empty({2, n, n * m}, t.options().dtype(at::kLong));",
    "auto y = t.view({n, -1});", "auto y = t.reshape({n, m}); y = t.expand({n});", "torch::Tensor y = ::torch::full({n}, n);",
]


@pytest.mark.parametrize("made", MAKERS)
def test_what_makes_tensors_leaves_sizes_alone(made: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, SIZED.format(before="", made=made)) == "proved"


@pytest.mark.parametrize(("made", "before"), [
    ("mine::zeros({n, 3});", ""), ("change(n);", ""), ("auto y = torch::zeros(change(n));", ""), ("auto y = other({n});", ""),
    ("torch::zeros({n});", "namespace torch { struct R { int &n; }; inline void zeros(R r) { r.n = 5; } }"),
    ("auto y = torch::from_blob(&n, {1}); y.fill_(7);", ""), ("auto y = torch::change({n});", ""),
])
def test_what_may_change_sizes(made: str, before: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, SIZED.format(before=before, made=made)) != "proved"
