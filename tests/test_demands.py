"""What attributes of a kernel demand of its blocks is required of a launch: what only other blocks would do is no finding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from automata.lang.demands import Demands, demands
from automata.place import Place

REVERSED = """{ __shared__ int s[64]; s[threadIdx.x] = threadIdx.x; __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }
"""
OPENCL = """__kernel void k(__global int *o) { __local int s[64]; s[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = s[63 - get_local_id(0)]; }
"""


@pytest.mark.parametrize(("text", "line", "found"), [
    ("__global__ void __launch_bounds__(64) k(int *o)", 1, Demands(64)),
    ("__launch_bounds__ ( 0x40u , 2 ) __global__ void k(int *o)", 1, Demands(64)),
    ("#define N 64\n__global__ void __launch_bounds__(N) k(int *o)", 2, Demands(64)),
    ("#define N (64)  // threads\n__global__ void __launch_bounds__(N, 1)\nk(int *o)", 2, Demands(64)),
    ("constexpr int N = 64;\n__global__ void __launch_bounds__(N) k(int *o)", 2, Demands(64)),
    ("static const unsigned N = 64u;\n__global__ void __launch_bounds__(N) k(int *o)", 2, Demands(64)),
    ("__attribute__((reqd_work_group_size(8, 4, 2)))\n__kernel void k(int *o)", 2, Demands(None, (8, 4, 2))),
    ("__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(int *o)", 1, Demands(None, (64, 1, 1))),
    # of another kernel, or declaration
    ("__global__ void __launch_bounds__(64) j(int *o) {}\n__global__ void k(int *o)", 2, Demands()),
    ("void f() __attribute__((reqd_work_group_size(64, 1, 1)));\n__kernel void k(int *o)", 2, Demands()),
    ("__global__ void /* __launch_bounds__(64) */ k(int *o)", 1, Demands()),
    ("// __launch_bounds__(64)\n__global__ void k(int *o)", 2, Demands()),
    # what nobody knows here
    ("__global__ void __launch_bounds__(N) k(int *o)", 1, Demands()),
    ("template <int N> __global__ void __launch_bounds__(N) k(int *o)", 1, Demands()),
    ("__global__ void __launch_bounds__(64 / 2) k(int *o)", 1, Demands()),
    ("#define N 64\n#define N 128\n__global__ void __launch_bounds__(N) k(int *o)", 3, Demands()),
    ("#ifndef N\n#define N 64\n#endif\n__global__ void __launch_bounds__(N) k(int *o)", 4, Demands()),
    ("#if A\n#define N 64\n#endif\n__global__ void __launch_bounds__(N) k(int *o)", 4, Demands()),
    ("#define N 64\n#undef N\n__global__ void __launch_bounds__(N) k(int *o)", 3, Demands()),
    ("#define N 64\ntemplate <int M, int N>\n__global__ void __launch_bounds__(N) k(int *o)", 2, Demands()),
    ("void f() {\n  const int N = 64;\n}\n__global__ void __launch_bounds__(N) k(int *o)", 4, Demands()),
    ("#define N M\n__global__ void __launch_bounds__(N) k(int *o)", 2, Demands()),
    ("__global__ void\n#if A\n__launch_bounds__(64)\n#endif\nk(int *o)", 1, Demands()),
    ("__global__ void __launch_bounds__(0) k(int *o)", 1, Demands()),
    ("__attribute__((work_group_size_hint(64, 1, 1))) __kernel void k(int *o)", 1, Demands()),
    ("__attribute__((reqd_work_group_size(64, 1))) __kernel void k(int *o)", 1, Demands()),
])
def test_what_a_head_demands(text: str, line: int, found: Demands) -> None:
    assert demands(text, "k", Place("k.cu", line, 1)) == found


@pytest.mark.parametrize(("head", "verdict"), [("__launch_bounds__(64)", "proved"), ("__launch_bounds__(65)", "refuted"),
                                               ("", "refuted")])
def test_larger_blocks_are_none(head: str, verdict: str, run: Run, kernel_file: Any) -> None:
    path = kernel_file(f"__global__ void {head} k(int *o) {REVERSED}")
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict
    assert ("blockDim.x <= 64" in record["scope"]) == (verdict == "proved")


@pytest.mark.parametrize("frontend", ["c", "clang"])
@pytest.mark.parametrize(("size", "verdict", "rules"), [
    ("64, 1, 1", "proved", set()), ("64, 2, 1", "proved", {"same-value-write"}), ("65, 1, 1", "refuted", {"out-of-bounds"})])
def test_other_groups_are_none(size: str, verdict: str, rules: set[str], frontend: str, run: Run, tmp_path: Path) -> None:
    """Of two rows of threads both store the same to each element of the group's memory."""
    path = tmp_path / "k.cl"
    path.write_text(f"__attribute__((reqd_work_group_size({size})))\n{OPENCL}")
    (record,) = run("check", path, "--frontend", frontend, "--format", "jsonl").records
    assert record["verdict"] == verdict and rules <= {found["rule"] for found in record["findings"]}


@pytest.mark.parametrize(("head", "told"), [("__launch_bounds__(64)", "takes no block of 128 threads; give a smaller --block")])
def test_a_block_that_cannot_be_started_is_refused(head: str, told: str, run: Run, kernel_file: Any) -> None:
    path = kernel_file(f"__global__ void {head} k(int *o) {REVERSED}")
    ran = run("check", path, "--block", "128", "--grid", "1", "--format", "jsonl")
    assert ran.status == 2 and told in ran.records[0]["reason"]
    assert run("check", path, "--block", "32", "--grid", "1", "--format", "jsonl").records[0]["verdict"] == "proved"


def test_groups_of_a_pair(run: Run, tmp_path: Path) -> None:
    """Each side has the groups that it demands; where these differ, both launches are to be stated."""
    for side, size in (("a", 64), ("b", 32)):
        (tmp_path / f"{side}.cl").write_text(f"__attribute__((reqd_work_group_size({size}, 1, 1)))\n"
                                             "__kernel void k(__global int *o) { o[get_global_id(0)] = get_global_id(0); }\n")
    files = tmp_path / "a.cl", tmp_path / "b.cl"
    ran = run("equiv", *files, "--format", "jsonl")
    assert ran.records[0]["verdict"] == "invalid" and "blockDim.x == 64, blockDim.x == 32" in ran.records[0]["reason"]
    flags = ("--block", "64", "--block-b", "32", "--grid", "2", "--grid-b", "4", "--format", "jsonl")
    assert run("equiv", *files, *flags).records[0]["verdict"] == "equal"
    assert run("equiv", files[0], files[0], "--format", "jsonl").records[0]["verdict"] == "equal"
