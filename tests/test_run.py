"""`spmd run`: what it shows, what it makes up, and how it meets bad input."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, Run

Write = Callable[..., Path]

SAXPY = """// spmd: block=64 grid=(n+63)/64 n=200
__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
RACY = """__global__ void shift(int *a) { int t = threadIdx.x; int v = a[t + 1]; a[t] = v; }
"""
SPIN = """__global__ void spin(int *flag) {
  while (flag[0] == 0) { }
  flag[1] = 1;
}
"""


def test_outputs_are_those_of_the_inputs(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    x = np.linspace(-1, 1, 200, dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    ran = run("run", kernel_file(SAXPY), "--arg", "a=2.0", "--array", f"x=@{tmp_path}/x.npy", "--array", "y=ones",
              "--save", f"y={tmp_path}/y.npy", "--format", "jsonl")
    assert ran.status == 0 and ran.records[0]["result"] == "clean" and ran.records[0]["made_up"] == []
    assert np.array_equal(np.load(tmp_path / "y.npy"), np.float32(2) * x + np.float32(1))


@pytest.mark.parametrize("name", ["warp_exchange_fields", "function_arguments", "constexpr_calls"])
def test_what_kernels_assert_of_themselves_holds(run: Run, name: str) -> None:
    ran = run("run", ROOT / "tests" / "kernels" / f"{name}.cu", "--block", "32", "--grid", "1", "--format", "jsonl")
    assert ran.status == 0 and ran.records[0]["result"] == "clean", ran.records[0]


def test_what_is_not_given_is_made_up_and_said(run: Run, kernel_file: Write) -> None:
    first, second, other = (run("run", kernel_file(SAXPY), "--seed", seed, "--format", "jsonl").records[0]
                            for seed in (1, 1, 2))
    assert first["outputs"] == second["outputs"] != other["outputs"]
    assert any("contents of x, y" in text for text in first["made_up"])
    assert any(text.startswith("a =") for text in first["made_up"])
    assert first["launch"]["grid"] == [4, 1, 1] and first["launch"]["args"]["n"] == 200


def test_flags_go_before_the_comment(run: Run, kernel_file: Write) -> None:
    record = run("run", kernel_file(SAXPY), "--arg", "n=70", "--format", "jsonl").records[0]
    assert record["launch"]["grid"] == [2, 1, 1] and record["launch"]["block"] == [64, 1, 1]


def test_a_race_is_seen_named_and_demonstrated(run: Run, kernel_file: Write) -> None:
    ran = run("run", kernel_file(RACY), "--block", 8, "--grid", 1, "--array", "a=iota", "--format", "jsonl")
    (record,) = ran.records
    assert ran.status == 1 and record["result"] == "trouble"
    finding = record["findings"][0]
    assert finding["rule"] == "race" and {place["access"] for place in finding["places"]} == {"read", "write"}
    assert {place["column"] for place in finding["places"]} == {RACY.index("a[t + 1]") + 1, RACY.index("a[t] =") + 1}
    assert any(item["array"] == "a" for item in record["differences"])


@pytest.mark.parametrize("schedule", ["canonical", "reversed", "sequential", "threads:3", "warps:3", "ahead:0/5"])
def test_schedules_agree_where_there_is_no_race(run: Run, kernel_file: Write, schedule: str) -> None:
    text = ("__global__ void sum(int *o) { __shared__ int s[64]; int t = threadIdx.x; s[t] = o[t]; __syncthreads();\n"
            "for (int k = 32; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; __syncthreads(); } if (t == 0) o[0] = s[0]; }")
    record = run("run", kernel_file(text), "--block", 64, "--grid", 1, "--array", "o=iota", "--schedule", schedule,
                 "--repeat", 2, "--format", "jsonl").records[0]
    assert record["outputs"]["o"]["first"][0] == 2016 and not record["differences"] and not record["findings"]


def test_a_kernel_that_never_ends_is_given_up_by_name(run: Run, kernel_file: Write) -> None:
    ran = run("run", kernel_file(SPIN), "--block", 1, "--grid", 1, "--array", "flag=zeros", "--max-steps", 1000)
    assert ran.status == 3 and "kernel.cu:2:" in ran.err and "--max-steps" in ran.err


def test_nan_infinity_and_empty_arrays(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([np.nan, np.inf, -np.inf, -0.0], np.float32))
    ran = run("run", kernel_file(SAXPY), "--arg", "n=4", "--arg", "a=0.0", "--array", f"x=@{tmp_path}/x.npy",
              "--array", "y=zeros", "--format", "jsonl")
    assert ran.status == 0 and ran.records[0]["outputs"]["y"]["first"] == ["nan", "nan", "nan", 0.0]
    np.save(tmp_path / "x.npy", np.zeros(0, np.float32))
    ran = run("run", kernel_file(SAXPY), "--arg", "n=4", "--array", f"x=@{tmp_path}/x.npy", "--format", "jsonl")
    assert ran.status == 1 and ran.records[0]["findings"][0]["rule"] == "out-of-bounds"


BAD = {
    "an unknown array": (["--array", "z=ones"], "no such array"),
    "unknown contents": (["--array", "x=many"], "random:LOW:HIGH"),
    "a missing file": (["--array", "x=@nowhere.npy"], "cannot read"),
    "a schedule": (["--schedule", "lifo"], "canonical"),
    "an extent": (["--extent", "x=few"], "whole number"),
    "an array to save": (["--save", "z=z.npy"], "no such global array"),
    "a folder to save in": (["--save", "y=nowhere/y.npy"], "cannot write"),
    "requirements that nothing meets": (["--require", "n < 0", "--require", "n > 0"], "requirements"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_in_one_message(run: Run, kernel_file: Write, name: str) -> None:
    options, said = BAD[name]
    ran = run("run", kernel_file(SAXPY), *options)
    assert ran.status == 2 and said in ran.err and len(ran.err.splitlines()) == 1


def test_files_of_other_types_are_refused(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([0.1, 0.2]))
    ran = run("run", kernel_file(SAXPY), "--array", f"x=@{tmp_path}/x.npy")
    assert ran.status == 2 and "float64" in ran.err
    (tmp_path / "x.npy").write_bytes(b"\x93NUMPY garbage")
    assert run("run", kernel_file(SAXPY), "--array", f"x=@{tmp_path}/x.npy").status == 2
    np.save(tmp_path / "x.npy", np.array([{}], object), allow_pickle=True)
    assert run("run", kernel_file(SAXPY), "--array", f"x=@{tmp_path}/x.npy").status == 2


def test_a_full_disk_leaves_no_half_file(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    (tmp_path / "y.npy.part").symlink_to("/dev/full")
    ran = run("run", kernel_file(SAXPY), "--save", f"y={tmp_path}/y.npy")
    assert ran.status == 2 and "No space left" in ran.err and not (tmp_path / "y.npy").exists()


def test_a_killed_run_leaves_no_half_file(kernel_file: Write, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "spmd.cli", "run", str(kernel_file(SPIN)), "--block", "1", "--grid", "1",
               "--array", "flag=zeros", "--max-steps", "1000000000", "--save", f"flag={tmp_path}/flag.npy"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    assert process.stderr is not None and b"running" in process.stderr.readline()
    process.kill()
    process.wait()
    process.stderr.close()
    assert not list(tmp_path.glob("*.npy*"))


LAUNCHED = """__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
int main() {
  float *x;
  cudaMalloc(&x, 96 * sizeof(float));
  scale<<<3, 32>>>(x, 96);
}
"""


def test_the_launch_of_the_program_is_run(run: Run, kernel_file: Write) -> None:
    (record,) = run("run", kernel_file(LAUNCHED), "--format", "jsonl").records
    assert (record["launch"]["block"], record["launch"]["grid"], record["launch"]["args"]) == ([32, 1, 1], [3, 1, 1], {"n": 96})
    assert "as launched at host code, line 8" in run("run", kernel_file(LAUNCHED)).out


def test_arguments_go_before_those_of_the_program(run: Run, kernel_file: Write) -> None:
    (record,) = run("run", kernel_file(LAUNCHED), "--arg", "n=5", "--format", "jsonl").records
    assert (record["launch"]["block"], record["launch"]["args"]) == ([32, 1, 1], {"n": 5})


def test_sizes_of_the_call_are_not_those_of_the_program(run: Run, kernel_file: Write) -> None:
    (record,) = run("run", kernel_file(LAUNCHED), "--block", "16", "--grid", "2", "--arg", "n=7", "--format", "jsonl").records
    assert (record["launch"]["block"], record["launch"]["grid"], record["launch"]["args"]) == ([16, 1, 1], [2, 1, 1], {"n": 7})


@pytest.mark.parametrize(("name", "rules"), [
    ("later_tile_ok", set()), ("later_buffers_turned_ok", set()), ("later_barrier_missing_x", {"race"}),
    ("later_overwritten_x", {"unwaited-copy"})])
def test_copies_that_threads_go_on_beside(name: str, rules: set[str], run: Run) -> None:
    path = ROOT / "tests" / "kernels" / f"{name}.cu"
    record = run("run", path, "--format", "jsonl").records[0]
    assert {finding["rule"] for finding in record["findings"]} == rules and record["result"] == ("trouble" if rules else "clean")
    assert run("run", "--amplify", path, "--format", "jsonl").records[0]["kernel"]


def test_a_copy_that_is_not_followed_is_told_by_its_place(run: Run) -> None:
    ran = run("run", ROOT / "tests" / "kernels" / "later_source_written.cu")
    assert ran.status == 3 and "later_source_written.cu:7:3" in ran.err + ran.out


@pytest.mark.parametrize(("size", "said"), [("1", "in 1 access by 1 thread ("), ("64", "in 64 accesses by 64 threads (")])
def test_one_of_a_thing_is_no_many(size: str, said: str, run: Run, kernel_file: Write) -> None:
    file = kernel_file("__global__ void k(int *a) { a[threadIdx.x] = 1; }")
    out = run("run", file, "--block", size, "--grid", 1, "--repeat", 1).out
    assert said in out and "and 1 other schedule:" in out
    assert f"a: {size} element{'' if size == '1' else 's'} written;" in out
