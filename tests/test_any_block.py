"""One block is run for all of them: barriers and shared memory at a block that is stated, in any grid, with any arguments.

The good kernels have twins in which a thing is wrong that such a run does not see by itself: it happens in another block, in a
larger grid, for other arguments or contents of memory.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

TEXT = """// spmd: block=64
__global__ void k(float *out, const int *in, int *work, int n) {{
  __shared__ int s[128];
  int t = threadIdx.x, at = blockIdx.x * 64 + t;
  {code}
}}
"""
GOOD = [
    "s[t] = at < n ? in[at] : 0; __syncthreads(); for (int d = 32; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; "
    "__syncthreads(); } if (t == 0) out[blockIdx.x] = s[0];",
    "s[(t * 5 + 3) % 64] = in[at]; __syncthreads(); int a = s[(t ^ 21)]; __syncthreads(); s[(t * 29) % 64] = a; __syncthreads(); "
    "out[at] = s[t];",
    "s[t] = 0; s[t + 64] = 1; __syncthreads(); if (at < n) out[at] = s[t ^ 1] + s[127 - t];",
    "int off = 1; s[2 * t] = in[at]; s[2 * t + 1] = n; for (int d = 64; d > 0; d >>= 1) { __syncthreads(); if (t < d) "
    "s[off * (2 * t + 2) - 1] += s[off * (2 * t + 1) - 1]; off *= 2; } __syncthreads(); out[at] = s[127 - t];",
]
BAD = [
    "s[t] = at < n ? in[at] : 0; __syncthreads(); for (int d = 32; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; } "
    "if (t == 0) out[blockIdx.x] = s[0];",
    "s[blockIdx.x == 3 ? 0 : t] = t; __syncthreads(); out[at] = s[t];",
    "s[t] = t; if (gridDim.x > 3) s[0] = t; __syncthreads(); out[at] = s[t];",
    "s[t] = t; if (gridDim.x > 3 && t < 3) return; __syncthreads(); out[at] = s[t];",
    "s[t] = t; if (n > 7) __syncthreads(); out[at] = s[63 - t];",
    "s[t] = t; if (blockIdx.x < 7) __syncthreads(); out[at] = s[63 - t];",
    "s[t] = t; __syncthreads(); for (int i = 0; i < n; i++) s[(t + i) % 64] += i; __syncthreads(); out[at] = s[t];",
    "s[in[at] & 63] = t; __syncthreads(); out[at] = s[t];", "s[t * n % 64] = t; __syncthreads(); out[at] = s[t];",
    "if (n > 4) s[t] = 1; __syncthreads(); out[at] = s[63 - t];", "if (in[at]) s[t] = 1; __syncthreads(); out[at] = s[63 - t];",
    "if (blockIdx.x) s[t] = 1; __syncthreads(); out[at] = s[63 - t];", "s[t] = t; __syncthreads(); out[t] = s[t];",
    "work[0] = t; s[t] = 0; __syncthreads(); s[work[0] & 63] = t; __syncthreads(); out[at] = s[t];",
    "work[at] = t; s[t] = 0; __syncthreads(); s[work[n] & 63] = t; __syncthreads(); out[at] = s[t];",
    "s[t] = 0; __syncthreads(); int c = atomicAdd(&work[1], 1); s[c & 63] = t; __syncthreads(); out[at] = s[t];",
    "s[t] = 0; __syncthreads(); atomicAdd(&s[0], t); int v = s[t]; __syncthreads(); out[at] = v;",
    "s[t + (n > 90 ? 1 : 0)] = 1; s[t + 64] = 2; __syncthreads(); out[at] = s[t];",
    "s[t] = t; __syncthreads(); if (n == 5 && t == 0) s[t + 1] = 3; out[at] = s[t];",
    "s[t] = t; __syncthreads(); while (s[0] < n) { if (t == 0) s[0]++; } out[at] = s[t];",
    "s[t] = t; __syncthreads(); int v = s[gridDim.x % 64]; s[t] = v; __syncthreads(); out[at] = s[t];",
    "s[t + 100] = 1; __syncthreads(); out[at] = 1;",
]


def _verdict(code: str, run: Run, folder: Path) -> str:
    path = folder / "k.cu"
    path.write_text(TEXT.format(code=code))
    record, = run("check", path, "--format", "jsonl").records
    return str(record["verdict"])


@pytest.mark.parametrize("code", GOOD)
def test_every_block_is_as_one(code: str, run: Run, tmp_path: Path) -> None:
    assert _verdict(code, run, tmp_path) == "proved"


@pytest.mark.parametrize("code", BAD)
def test_what_another_block_does_is_not_overlooked(code: str, run: Run, tmp_path: Path) -> None:
    assert _verdict(code, run, tmp_path) in ("refuted", "unknown")


@pytest.mark.parametrize(("size", "low"), [("64/n", 1), ("64*n", 0)])
def test_shared_memory_of_a_size_that_is_not_known(size: str, low: int, run: Run, tmp_path: Path) -> None:
    """It is as large as the block needs at n = 1, at which one block is run, and not at others."""
    path = tmp_path / "k.cu"
    path.write_text(f"""// spmd: block=64 grid=g s[{size}] require n >= {low}, n <= 64, g >= 1, g <= 1000
__global__ void k(const int *in, int *out, int n, int g) {{
  extern __shared__ int s[]; int t = threadIdx.x, at = blockIdx.x * 64 + t;
  s[t] = in[at]; __syncthreads(); out[at] = s[63 - t];
}}
""")
    record, = run("check", path, "--format", "jsonl").records
    assert record["properties"]["bounds"] != "proved"


def test_what_shared_memory_holds_is_followed_where_a_block_was_run(run: Run, kernel_file: Callable[..., Path]) -> None:
    """An index that comes out of shared memory, between blocks of a grid of any size; with one slip, two threads meet."""
    text = ("__global__ void k(const float *in, float *out) {{ __shared__ int at[256]; int t = threadIdx.x;\n"
            "at[{to}] = t; __syncthreads(); out[blockIdx.x * 256 + at[t]] = in[blockIdx.x * 256 + t]; }}")
    for to, verdict in (("255 - t", "proved"), ("t / 2", "refuted")):
        file = kernel_file(text.format(to=to))
        ran = run("check", file, "--block", 256, "--require", "gridDim.x <= 65535", "--format", "jsonl")
        assert ran.records[0]["verdict"] == verdict
