"""A lane that asks for one that its warp does not have: where the sizes of a block come to that, and an output shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

TEXT = """#include <cstdlib>
int file();
__global__ void k(float *out, const float *in, int n) {{
  int at = threadIdx.x + blockDim.x * threadIdx.y;
  float v = in[at];
  for (int d = {first}; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (at % 32 == 0) out[at / 32] = v;
}}
int main(int argc, char **argv) {{
  float *a, *b;
  {made}
  k<<<1, {block}>>>(a, b, 1);
}}
"""


@pytest.mark.parametrize(("first", "made", "block", "verdict"), [
    (16, "int n = atoi(argv[1]);", "n", "refuted"),
    (16, "int n = 32 * atoi(argv[1]);", "n", "proved"),
    (16, "", "96", "proved"),
    (16, "", "80", "refuted"),
    (8, "", "80", "unknown"),
    (16, "", "dim3(16, 5)", "refuted"),
    (16, "int n = file();", "n", "unknown"),
    (16, "int c = atoi(argv[1]), g = atoi(argv[2]); int n = c / g;", "n", "refuted"),
    (16, "int c = atoi(argv[1]), g = file(); int n = c / g;", "n", "unknown"),
])
def test_a_lane_that_is_not_there(first: int, made: str, block: str, verdict: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(TEXT.format(first=first, made=made, block=block))
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict, record
    told = [finding for finding in record["findings"] if finding["status"] == "confirmed"]
    assert bool(told) is (verdict == "refuted") and all("an output depends on it" in finding["message"] for finding in told)


def test_what_memory_holds_may_choose(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    text = TEXT.format(first=16, made="", block="80").replace("out[at / 32] = v", "out[at / 32] = in[0] > 3 ? v : 0")
    path.write_text(text)
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "unknown" and "contents of in" in record["reason"]


@pytest.mark.parametrize("kind", ["unsigned", "unsigned long long", "int", "double"])
def test_values_of_each_type(kind: str, run: Run, tmp_path: Path) -> None:
    """What a lane gets in place of one that is not there is a number of its type."""
    path = tmp_path / "k.cu"
    text = TEXT.format(first=8, made="", block="80").replace("float", kind)
    path.write_text(text)
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "unknown", record


ENDED = """#include <cstdlib>
int file();
__global__ void k(float *out, const float *in, int n) {{
  int at = threadIdx.x + blockDim.x * blockIdx.x;
  {left}
  float v = in[at];
  {sum}
}}
int main(int argc, char **argv) {{
  float *a, *b;
  int n = {made};
  k<<<(n + 63) / 64, 64>>>(a, b, n);
}}
"""
SUM = "for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d); if (at % 32 == 0) out[at / 32] = v;"
OF_THE_FIRST = "out[at] = __shfl_sync(0xffffffff, v, 0);"
OF_THE_NEXT = "float w = __shfl_down_sync(0xffffffff, v, 1); out[at] = at % 32 < 31 && at + 1 < n ? v + w : v;"
LEFT = "if (at >= n) return;"


@pytest.mark.parametrize(("left", "total", "made", "verdict"), [
    (LEFT, SUM, "atoi(argv[1])", "refuted"),
    (LEFT, SUM, "file()", "unknown"),
    (LEFT, SUM, "64 * atoi(argv[1])", "proved"),
    (LEFT, OF_THE_FIRST, "atoi(argv[1])", "unknown"),
    (LEFT, OF_THE_NEXT, "atoi(argv[1])", "unknown"),
    ("if (in[at] > 3) return;", SUM, "64 * atoi(argv[1])", "unknown"),
    ("if (threadIdx.x >= 48) return;", SUM, "64 * atoi(argv[1])", "refuted"),
    ("if (threadIdx.x >= 32) return;", SUM, "64 * atoi(argv[1])", "proved"),
])
def test_a_lane_that_has_ended(left: str, total: str, made: str, verdict: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(ENDED.format(left=left, sum=total, made=made))
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict, record
    told = [finding for finding in record["findings"] if finding["status"] == "confirmed"]
    assert bool(told) is (verdict == "refuted") and all("has ended before the exchange" in finding["message"] for finding in told)
