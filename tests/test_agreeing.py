"""Pairs of which a side lets all lanes of a warp store one value to a cell; twins whose lanes hold different ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import spmd.api as api

HEAD = "// spmd: grid=2 block=64 x[128] out[4]\n__global__ void k(const T *x, T *out) {{\n" \
       "  int i = blockIdx.x * blockDim.x + threadIdx.x; int lane = threadIdx.x % 32; int w = i / 32;\n{body}\n}}\n"
BUTTERFLY = "for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);"
DOWN = "for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);"
ROTATED = "for (int d = 1; d < 32; d *= 2) v += __shfl_sync(0xffffffffu, v, (lane + d) % 32);"
MAXIMUM = "for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));"
LARGER = "for (int d = 16; d > 0; d /= 2) { int o = __shfl_xor_sync(0xffffffffu, v, d); if (o > v) v = o; }"
FIRST, ALL = "if (lane == 0) out[w] = v;", "out[w] = v;"
SHARED = "__shared__ T s[2]; s[threadIdx.x / 32] = v; __syncthreads(); if (lane == 0) out[w] = s[threadIdx.x / 32];"


def kernel(*parts: str, kind: str = "float") -> str:
    return HEAD.format(body="  T v = x[i];\n  " + "\n  ".join(parts)).replace("T ", f"{kind} ")


def answer(folder: Path, one: str, two: str) -> tuple[str, bool]:
    """The verdict with its class, and whether a note says that stores agree."""
    for name, text in (("a", one), ("b", two)):
        (folder / f"{name}.cu").write_text(text)
    found = api.equiv(str(folder / "a.cu"), str(folder / "b.cu"))
    kind = found.report.equality
    agree = any("store one value" in text for text in found.report.notes)
    return (f"equal {kind.value}" if kind else found.verdict), agree


@pytest.mark.parametrize(("one", "two", "wanted"), [
    (kernel(BUTTERFLY, ALL), kernel(BUTTERFLY, FIRST), "equal bitwise-commutative"),
    (kernel(DOWN, "v = __shfl_sync(0xffffffffu, v, 0);", ALL), kernel(DOWN, FIRST), "equal bitwise"),
    (kernel(MAXIMUM, ALL), kernel(MAXIMUM, FIRST), "equal real"),
    (kernel(LARGER, ALL, kind="int"), kernel("v = __reduce_max_sync(0xffffffffu, v);", ALL, kind="int"), "equal int"),
    (kernel(ROTATED, ALL, kind="int"), kernel(BUTTERFLY, FIRST, kind="int"), "equal int"),
    (kernel("v = __reduce_add_sync(0xffffffffu, v);", ALL, kind="int"), kernel(BUTTERFLY, FIRST, kind="int"), "equal int"),
    (kernel(BUTTERFLY, SHARED), kernel(BUTTERFLY, FIRST), "equal bitwise-commutative"),
    (kernel(BUTTERFLY, "out[w] = v + (float)(lane / 32);"), kernel(BUTTERFLY, FIRST), "equal real")])
def test_lanes_that_agree(tmp_path: Path, one: str, two: str, wanted: str) -> None:
    assert answer(tmp_path, one, two) == (wanted, True)


@pytest.mark.parametrize(("one", "two", "wanted"), [
    (kernel(ROTATED, ALL), kernel(BUTTERFLY, FIRST), {"unknown", "nondeterministic"}),
    (kernel(DOWN, ALL), kernel(DOWN, FIRST), {"nondeterministic"}),
    (kernel(BUTTERFLY.replace("16", "8"), ALL), kernel(BUTTERFLY, FIRST), {"nondeterministic"}),
    (kernel(BUTTERFLY, "out[w] = v + lane;"), kernel(BUTTERFLY, FIRST), {"nondeterministic"}),
    (kernel(LARGER.replace("v = o", "v = o - 1"), ALL, kind="int"), kernel(BUTTERFLY, FIRST, kind="int"),
     {"unknown", "nondeterministic"}),
    (kernel(BUTTERFLY, "if (x[i] > 0) out[w] = v;"), kernel(BUTTERFLY, FIRST), {"unknown", "nondeterministic"}),
    (kernel(BUTTERFLY, SHARED.replace("__syncthreads(); ", "")), kernel(BUTTERFLY, FIRST), {"nondeterministic", "unknown"}),
    (kernel(BUTTERFLY, ALL, "out[w] = v + 1;"), kernel(BUTTERFLY, FIRST), {"unknown", "nondeterministic"}),
    (kernel(BUTTERFLY, "v += out[w];", ALL), kernel(BUTTERFLY, FIRST), {"unknown", "nondeterministic"})])
def test_lanes_that_differ(tmp_path: Path, one: str, two: str, wanted: set[str]) -> None:
    verdict, agree = answer(tmp_path, one, two)
    assert verdict in wanted
    assert not agree


def test_lanes_that_agree_on_another_value(tmp_path: Path) -> None:
    verdict, _ = answer(tmp_path, kernel(BUTTERFLY, "v *= 2;", ALL), kernel(BUTTERFLY, FIRST))
    assert verdict == "different"
