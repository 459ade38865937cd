"""Sums of floats by atomic updates at launches whose sizes the program leaves open: runs of few blocks show the order."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = """__global__ void product(const float *v, const int *m, float *out, int height, int width) {
  __shared__ float part[256];
  int row = 24 * blockIdx.x, col = 256 * blockIdx.y + threadIdx.x;
  part[threadIdx.x] = v[256 * blockIdx.x + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 24; k++) sum += (m[width * (row + k) + col] & 7) * part[k];
  %s
}
void go(const float *v, const int *m, float *out, int height, int width) {
  dim3 blocks((height + 23) / 24, (width + 255) / 256);
  product<<<blocks, 256>>>(v, m, out, height, width);
}
"""
ADDED = {"by blocks in any order": ("atomicAdd(&out[col], sum);", "refuted"),
         "each by its own": ("out[gridDim.x * col + blockIdx.x] = sum;", "proved")}


@pytest.mark.parametrize(("store", "verdict"), ADDED.values(), ids=ADDED)
def test_sums_of_a_grid_that_grows_with_two_arguments(store: str, verdict: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL % store)
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == verdict
    if verdict == "refuted":
        assert record["launch"]["source"].startswith("host code") and {
            finding["rule"] for finding in record["findings"] if finding["status"] == "confirmed"} == {"atomic-order"}
