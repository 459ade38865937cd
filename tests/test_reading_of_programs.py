"""What published kernels hold: structures of many pointers, signs of bits, what to type for files that a switch leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = """struct A { %s; float *o; int n; };
__global__ void k(A a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < a.n) %s;
}
"""
MANY, ROWS = "float *w[94]", "float *w[4][110]"
CASES = {
    "none of them is named": (MANY, "a.o[i] = i", "proved"),
    "one is read": (MANY, "a.o[i] = a.w[3][i]", "proved"),
    "one is written": (MANY, "a.w[3][i] = a.w[4][i]", "proved"),
    "two cells of one": (MANY, "a.w[3][i] = a.w[3][i + 1]", "refuted"),
    "one cell by two threads": (MANY, "a.w[3][i / 2] = i", "refuted"),
    "of rows": (ROWS, "a.w[1][3][i] = a.w[0][3][i]", "proved"),
    "of rows, one cell by two threads": (ROWS, "a.w[1][3][i / 2] = i", "refuted"),
}


@pytest.mark.parametrize(("fields", "code", "verdict"), CASES.values(), ids=CASES)
def test_a_structure_of_many_pointers(fields: str, code: str, verdict: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL % (fields, code))
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == verdict


def test_the_sign_of_bits_by_cudas_own_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(
        "#define ROTL1(x) ((x << 1) | __signbit(*reinterpret_cast<double *>(&x)))\n"
        "__global__ void k(unsigned long *a) { unsigned long x = a[threadIdx.x]; a[threadIdx.x] = ROTL1(x) + __signbitf(1); }\n")
    assert run("check", tmp_path / "k.cu", "--block", "64", "--grid", "1").out.startswith("proved k")


SWITCHED = """#ifdef USE_IT
template <typename T> __device__ T twice(T x) { return x + x; }
__launch_bounds__(64) __global__ void k(int *a) { a[threadIdx.x] = twice(%s); }
#endif
"""


@pytest.mark.parametrize(("text", "told"), [
    (SWITCHED % "1", "'k' stands under #ifdef USE_IT (line 1); state what they ask for, for example -D USE_IT=1"),
    (SWITCHED.replace("#ifdef USE_IT", "#if WIDTH > 3") % "1", "'k' stands under #if WIDTH > 3 (line 1)"),
    ("__device__ int f() { return 3; }\n", "nothing is marked __global__"),
])
def test_a_file_that_a_switch_of_the_build_leaves_out(text: str, told: str, run: Run, tmp_path: Path) -> None:
    """The switch is named, and what to type."""
    (tmp_path / "k.cu").write_text(text)
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == "invalid" and told in record["reason"] and ("next" in record) == ("-D" in told)
    if "next" in record:
        command = record["next"].partition("   (")[0].split()
        assert command[-2:] == ["-D", "USE_IT=1"]
        assert run(*command[1:], "--block", "64", "--grid", "1").out.startswith("proved k")
