"""Locals that some lanes have set and a shuffle hands on; and reads of cells that are shown to be written, many at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import spmd.api as api
from automata.verdict import Verdict

ONE = """__global__ void k(float *out, const float *in, int n) {{
  int lane = threadIdx.x % {width}, at = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
  if (blockIdx.x >= n) return;
  {body}
}}
"""
PLAIN = "float v; if (lane == {set}) v = in[at]; v = __shfl_sync(0xffffffffu, v, {asked}{width}); out[at] = v;"
USED = "float v; if (lane == {set}) v = in[at]; v = __shfl_sync(0xffffffffu, v, {asked}{width}); " \
       "float s = 0; for (int i = 0; i < n; i++) s += in[i] - v; out[at] = s;"
INSIDE = "float s = 0; for (int i = 0; i < n; i++) {{ float v; if (lane == {set}) v = in[at + i]; " \
         "v = __shfl_sync(0xffffffffu, v, {asked}{width}); s += v; }} out[at] = s;"


def verdict(folder: Path, text: str, block: tuple[int, ...], **more: str) -> Verdict:
    path = folder / "k.cu"
    path.write_text(text)
    answer, = api.check(str(path), block=block, require=["n > 0", "gridDim.x < 1000", "gridDim.y == 1"], **more)
    return answer.report.verdict


@pytest.mark.parametrize("body", [PLAIN, USED, INSIDE])
@pytest.mark.parametrize(("given", "asked", "width", "block", "is_proved"), [
    (0, "0", 32, (64, 1), True),
    (3, "3", 32, (64, 1), True),
    (3, "35", 32, (64, 1), True),
    (0, "0", 8, (64, 1), True),
    (0, "0", 32, (64, 2), True),
    (0, "1", 32, (64, 1), False),
    (9, "1", 32, (64, 1), False),
    (1, "0", 8, (64, 1), False),
    (0, "0", 32, (24, 4), False),
    (0, "(int)in[0]", 32, (64, 1), False)])
def test_a_lane_that_has_a_value(tmp_path: Path, body: str, given: int, asked: str, width: int, block: tuple[int, ...],
                                 is_proved: bool) -> None:
    text = body.format(set=given, asked=asked, width="" if width == 32 else f", {width}")
    assert (verdict(tmp_path, ONE.format(width=width, body=text), block) is Verdict.PROVED) == is_proved


def test_lanes_of_which_each_decides_for_itself(tmp_path: Path) -> None:
    """Whether the lane that is asked has a value hangs on what that lane read."""
    text = "float v; if (in[at] > 0) v = in[at]; v = __shfl_sync(0xffffffffu, v, 0); out[at] = v;"
    assert verdict(tmp_path, ONE.format(width=32, body=text), (64, 1)) is not Verdict.PROVED


MANY = """__global__ void k(float *out, const float *in, int n) {{
  __shared__ float s[8][33];
  int lane = threadIdx.x % 32, w = threadIdx.x / 32, row = blockIdx.x * 8 + w;
  if (row >= n) return;
  {test}s[w][lane] = in[row * 32 + lane];
  __syncwarp();
  float v = s[w][0];
  #pragma unroll
  for (int i = 1; i < 32; i++) v = v > s[w][i{off}] ? v : s[w][i{off}];
  if (lane == 0) out[row] = v;
}}
"""


def test_many_reads_of_what_a_warp_wrote(tmp_path: Path) -> None:
    began = time.monotonic()
    assert verdict(tmp_path, MANY.format(test="", off=""), (256,)) is Verdict.PROVED
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(("test", "off"), [("", " + 1"), ("if (lane != 17) ", ""), ("if (lane != 31) ", "")])
def test_one_of_many_reads_is_of_a_cell_that_nobody_wrote(tmp_path: Path, test: str, off: str) -> None:
    assert verdict(tmp_path, MANY.format(test=test, off=off), (256,)) is not Verdict.PROVED


@pytest.mark.parametrize("body", [
    "if (l < 16) { if (l == 20) v = in[l]; v = __shfl_sync(0xffffu, v, 20); out[l] = v; }",
    "if (l % 8 == 0) v = in[l]; v = __shfl_sync(0xffffffffu, v, 4); out[l] = v;",
    "for (int i = 0; i < 3; i++) { if (l == i) v = in[l]; v = __shfl_sync(0xffffffffu, v, 1); } out[l] = v;",
    "if (l < 32) v = in[l]; v = __shfl_sync(0xffffffffu, v, 0); out[l] = v;",
    "if (l == 0 && n > 3) v = in[l]; v = __shfl_sync(0xffffffffu, v, 0); out[l] = v;",
    "float w; if (l % 32 == 0) v = in[l] + w; v = __shfl_sync(0xffffffffu, v, 0); out[l] = v;"],
    ids=["outside the mask", "another lane", "in a later round", "the first warp alone", "perhaps", "made of nothing"])
def test_a_lane_that_may_have_none(tmp_path: Path, body: str) -> None:
    text = f"__global__ void k(float *out, const float *in, int n) {{ int l = threadIdx.x; float v; {body} }}\n"
    assert verdict(tmp_path, text, (64, 1)) is not Verdict.PROVED
