"""The 16-bit types of PyTorch are classes: what its headers give them is read, and what they hold is a number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

HEAD = "#include <torch/extension.h>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
KERNEL = HEAD + """// spmd: block=64 grid=4 a[256] b[256]
__global__ void k(at::KIND *a, at::KIND *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  at::KIND v = a[i];
  BODY
}
"""
BODIES = {
    "arithmetic": "b[i] = v * (at::KIND)2 + at::KIND(1.5f) - v / v;",
    "with other types": "float f = v * 0.5f; double d = 2.0 * v; at::KIND w = v + 1; w = w + 3u; w += v; b[i] = w + f + d;",
    "functions of float": "b[i] = exp(v) + pow(v, v) + fmaxf(v, 0.0f) + max(v, v) + std::max(v, a[i]) + ::min(v, 1.0f);",
    "comparisons": "if (v > a[i] || v != v || v < 0 || isnan(v)) v = -v; b[i] = v > 0.0f ? v : at::KIND(0);",
    "bits": "at::KIND w; w.x = v.x ^ 0x8000; b[i] = w; b[i].x |= 1; b[i] = at::KIND(v.x, at::KIND::from_bits());",
    "CUDA's own": "DEVICE w = a[i].operator DEVICE(); w = (DEVICE)v; b[i] = w + w; b[i] = *(DEVICE *)&a[i];",
    "whole numbers": "int n = v; n += (int)v; b[i] = n; b[i] = static_cast<at::KIND>(0);",
    "limits": "b[i] = std::numeric_limits<at::KIND>::lowest() < v ? std::numeric_limits<at::KIND>::max() : v;",
    "types of PyTorch": "at::opmath_type<at::KIND> f = v; at::acc_type<at::KIND, true> g = f; b[i] = f + g;",
}


DEVICE = {"Half": "__half", "BFloat16": "__nv_bfloat16"}


def text_of(body: str, kind: str) -> str:
    return KERNEL.replace("BODY", body).replace("KIND", kind).replace("DEVICE", DEVICE[kind])


@pytest.mark.parametrize("kind", ["Half", "BFloat16"])
@pytest.mark.parametrize("name", BODIES)
def test_what_the_classes_have_is_read(run: Run, kernel_file: Callable[..., Path], name: str, kind: str) -> None:
    assert run("check", kernel_file(text_of(BODIES[name], kind)), "--format", "jsonl").records[0]["verdict"] == "proved"
    wrong = text_of(BODIES[name].replace("b[i]", "b[i / 2]"), kind)
    assert run("check", kernel_file(wrong), "--format", "jsonl").records[0]["verdict"] == "refuted"


FORMS = [("b[i] = v + v;", "b[i] = (DEVICE)((float)v + (float)v);"), ("b[i] = v * 2;", "b[i] = v * (at::KIND)2.0f;"),
         ("b[i] = -v;", "b[i] = (at::KIND)-(float)v;"), ("v += a[i]; b[i] = v;", "b[i] = at::KIND((float)v + (float)v);")]


@pytest.mark.parametrize("kind", ["Half", "BFloat16"])
@pytest.mark.parametrize(("one", "two"), FORMS)
def test_what_they_hold_is_a_number(run: Run, tmp_path: Path, one: str, two: str, kind: str) -> None:
    """Each is rounded once, so a sum in halves is the sum in floats that is rounded; a second rounding left out is told."""
    paths = [tmp_path / f"{name}.cu" for name in ("one", "two", "three")]
    unlike = "b[i] = (float)v * 3.0f + 1.0f;"
    for path, body in zip(paths, (one, two, unlike), strict=True):
        path.write_text(text_of(body, kind))
    assert run("equiv", str(paths[0]), str(paths[1]), "--format", "jsonl").records[0]["verdict"] == "equal"
    assert run("equiv", str(paths[0]), str(paths[2]), "--format", "jsonl").records[0]["verdict"] == "different"


INSTANCES = """#include <torch/extension.h>
enum Way { SUM, BEST };
template <class T, Way W> struct Step;
template <class T> struct Step<T, SUM> { static __device__ T of(T a) { return a + a; } };
template <class T, Way W> __global__ void k(T *a, int n) {
  if ((int)threadIdx.x < n) a[threadIdx.x] = Step<T, W>::of(a[threadIdx.x]);
}
void go(at::Tensor t) {
  k<float, SUM><<<1, 64>>>(t.data_ptr<float>(), t.numel());
  k<at::Half, SUM><<<1, 64>>>(t.data_ptr<at::Half>(), t.numel());
  k<float, BEST><<<1, 64>>>(t.data_ptr<float>(), t.numel());
}
"""


def test_an_error_of_one_instance_is_none_of_another(run: Run, kernel_file: Callable[..., Path]) -> None:
    found = {record["kernel"]: record["verdict"] for record in run("check", kernel_file(INSTANCES), "--format", "jsonl").records}
    assert found.pop("k<float, BEST>") == "invalid"
    assert found.keys() == {"k<c10::Half, SUM>", "k<float, SUM>"}
    assert "invalid" not in found.values()


CONSTANT = """#include <torch/extension.h>
enum Way { SUM, BEST };
template <class T, Way W> __global__ void k(T *a, int n) { a[threadIdx.x] += (T)W; }
void go(float *p, at::Half *q, int n) { [&] { switch (n) {
  case 1: { static constexpr Way WAY = SUM; k<float, WAY><<<1, 64>>>(p, n); break; }
  case 2: { static constexpr Way WAY = BEST; k<at::Half, WAY><<<1, 32>>>(q, n); break; }
} }(); }
"""


def test_local_constants_name_the_instance_of_a_launch(run: Run, kernel_file: Callable[..., Path]) -> None:
    records = run("check", kernel_file(CONSTANT), "--format", "jsonl").records
    found = {record["kernel"]: (record["verdict"], *(record["launch"][of][0] for of in ("grid", "block"))) for record in records}
    assert found == {"k<float, SUM>": ("proved", 1, 64), "k<c10::Half, BEST>": ("proved", 1, 32)}
