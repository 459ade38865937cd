"""Where nothing is settled, a command to paste; it is one that the tool takes."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from conftest import Run

from automata.lang.launch import Launch
from automata.verdict import Report, Verdict
from spmd.asked import Answer, Question, Source
from spmd.report.following import next_step

TEMPLATE = "template <class T> __global__ void k(T *a) { a[threadIdx.x] = 1; }"
MISSING = '#include "mine.h"\n__global__ void k(mine_t *a) { a[threadIdx.x] = 1; }'
OPEN = "__global__ void k(int *a, const int *b, int n) { a[b[threadIdx.x] % n] = threadIdx.x; }"
SLOW = """__global__ void k(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < 3; r++) { atomicAdd(&out[i + r * 2], in[i]); __syncthreads(); }
}"""
SETTLED = "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }"


def test_settled_verdicts_ask_for_nothing(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(SETTLED), "--format", "jsonl").records
    assert "next" not in record and "next:" not in run("check", kernel_file(SETTLED)).out


@pytest.mark.parametrize(("text", "wanted"), [(TEMPLATE, "--kernel 'k<float>'"), (MISSING, "-I FOLDER"), (SLOW, "--block 256")],
                         ids=["template", "header", "launch"])
def test_the_next_thing_to_type(text: str, wanted: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file(text)
    (record,) = run("check", path, "--timeout", "6", "--format", "jsonl").records
    assert record["verdict"] in ("unknown", "unsupported", "invalid") and wanted in record["next"]
    command = shlex.split(record["next"].partition("   (")[0])
    assert command[:3] == ["spmd", "check", str(path)]
    given = [str(path.parent) if word == "FOLDER" else word for word in command[1:]]
    again = run(*given, "--timeout", "6", "--format", "jsonl").records
    assert again and (wanted.startswith("-I") or again[0].get("next") != record["next"])


def test_time_that_is_up_asks_for_more() -> None:
    report = Report(Verdict.UNKNOWN, "a<b>", reason="race-free: the time limit is up")
    step = next_step(Answer(Question(Source("k.cu"), seconds=2.0), "a<b>", Launch(), report, 2.0))
    assert step is not None and step.startswith("spmd check k.cu --kernel 'a<b>' --timeout 10 ")


def test_a_refutation_that_needs_a_parameter_below_one(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(int *m, int dim) {\n"
                    "  if (threadIdx.x < 8) m[blockIdx.x * dim * 8 + threadIdx.x] = blockIdx.x;\n}\n")
    ran = run("check", path)
    assert ran.status == 1 and f"next: spmd check {path} --kernel k --require 'dim > 0'" in ran.out
    assert run("check", path, "--require", "dim > 0").status == 0


def test_a_refutation_without_a_launch(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(int *m, const int *to) { m[to[threadIdx.x]] = threadIdx.x; }\n")
    assert f"next: spmd check {path} --kernel k --suggest" in run("check", path).out
    assert "next:" not in run("check", path, "--suggest").out
    assert "next:" not in run("check", path, "--block", "32", "--grid", "1").out
