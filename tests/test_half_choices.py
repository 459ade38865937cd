"""A number that half precision and another number are to take: to CUDA half precision is a class, and the other one is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Run

HEAD = """#include <cuda_fp16.h>
#include <stdint.h>
union bits {
  uint16_t raw; half number;
  __device__ bits(uint16_t v) : raw(v) {}
  __device__ bits(half v) : number(v) {}
};
__device__ int place(short a) { return a; }
__device__ int place(half a) { return 0; }
__device__ int several(short a) { return a; }
__device__ int several(long a) { return a; }
__device__ int several(half a) { return 0; }
struct mine { __device__ operator half() const { return half(0); } };
"""
KERNEL = HEAD + """// spmd: block=32 grid=1 out[32] in[32]
__global__ void k(half *out, const int *in) {
  int i = threadIdx.x;
  BODY
}
"""


@pytest.mark.parametrize(("body", "verdict"), [
    ("bits b(0x6400 | (in[i] & 255)); out[i] = b.number;", "proved"),
    ("bits b(0x6400 | (in[i] & 255)); out[b.raw & 0] = b.number;", "refuted"),
    ("out[place(i)] = in[i];", "proved"),
    ("out[place(i / 2)] = in[i];", "refuted"),
    ("out[place(half(i))] = in[i];", "refuted"),
    ("bits b(half(1)); out[i] = b.number;", "proved"),
    ("out[several(i)] = in[i];", "invalid"),
    ("out[place(mine())] = i;", "refuted"),
    ("out[place(mine()) + i] = i;", "proved"),
])
def test_a_number_goes_to_the_other_number(body: str, verdict: str, run: Run, kernel_file: Any) -> None:
    """That `place` of a thread's number is the number itself, and of half precision zero, tells which of the two was called."""
    (record,) = run("check", kernel_file(KERNEL.replace("BODY", body)), "--format", "jsonl").records
    assert record["verdict"] == verdict, record


@pytest.mark.parametrize(("index", "verdicts"), [("i", {"proved"}), ("i / 2", {"refuted", "unknown"})])
@pytest.mark.parametrize("value", ["__int2half_rd(i)", "__ushort2half_ru(i)", "__ll2half_rz(i)", "__float2half_rd(i)"])
def test_conversions_that_name_their_rounding(value: str, index: str, verdicts: set[str], run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("#include <cuda_fp16.h>\n__global__ void k(half *a) {\n"
                                   f"  int i = blockIdx.x * blockDim.x + threadIdx.x; a[{index}] = {value};\n}}\n")
    (record,) = run("check", tmp_path / "k.cu", "--block", "64", "--grid", "2", "--format", "jsonl").records
    assert record["verdict"] in verdicts
