"""A launch that is too large to be run as a whole is run in a few blocks, for what they show; and masks that leave a lane out."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

LARGE = """__global__ void k(const unsigned *x, unsigned *out, unsigned *flag) {{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  {code}
}}
int main() {{ unsigned *x, *out, *flag; k<<<60480, 64>>>(x, out, flag); }}
"""


@pytest.mark.parametrize(("code", "verdict"), [
    ("out[i] = __ballot_sync((1u << lane) - 1, x[i] > 0);", "refuted"),
    ("out[i] = __ballot_sync(~(1u << lane), x[i] > 0);", "refuted"),
    ("__syncwarp(0xfffffffe); out[i] = 1;", "refuted"),
    ("if (lane) __syncwarp(0xfffffffe); out[i] = 1;", "proved"),
    ("if (blockIdx.x == gridDim.x - 1) __syncwarp(lane < 31 ? 0x7fffffff : 1); out[i] = 1;", "refuted"),
    ("if (blockIdx.x == gridDim.x) __syncwarp(lane < 31 ? 0x7fffffff : 1); out[i] = 1;", "unknown"),
    ("__syncwarp(1u << lane); out[i] = 1;", "proved"),
    ("__syncwarp(x[0]); out[i] = 1;", "unknown"),
    ("__syncwarp(1u << lane | x[0]); out[i] = 1;", "unknown"),
    ("if (lane == 0 && blockIdx.x < 60479) while (atomicAdd(&flag[blockIdx.x + 1], 0) == 0) {} "
     "__syncwarp(1u << lane); if (lane == 0) atomicAdd(&flag[blockIdx.x], 1);", "unknown"),
])
def test_a_large_launch_is_tried_in_few_blocks(code: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """What hangs on contents, and a block that waits for one which is not run, refutes no launch."""
    path = tmp_path / "k.cu"
    path.write_text(LARGE.format(code=code))
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict, record
    found = [finding for finding in record["findings"] if finding["status"] == "confirmed"]
    assert {finding["rule"] for finding in found} == ({"barrier-divergence"} if verdict == "refuted" else set())
    assert all("does not name the lane itself" in finding["message"] for finding in found)
