"""Limits on work: an `unknown` names those that were reached, and higher ones make it definite; nothing else changes by them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from automata import limits
from automata.place import InputError
from spmd.options import counts

Write = Callable[..., Path]

MANY = """__global__ void k(unsigned *out) {
    __shared__ unsigned to[256];
    unsigned t = threadIdx.x;
    to[t] = t * 91 + 5 & 255;
    __syncthreads();
    out[to[blockIdx.x] * 256 + to[(to[t] ^ blockIdx.x) & 255]] = t;
}
"""


def checked(run: Run, path: Path, *args: str) -> dict[str, Any]:
    record: dict[str, Any] = run("check", path, "--format", "jsonl", *args).records[0]
    return record


LAUNCH = "--block", "256", "--grid", "128"


def test_an_unknown_names_the_limit_and_a_higher_one_settles_it(run: Run, kernel_file: Write) -> None:
    path = kernel_file(MANY)
    few = checked(run, path, *LAUNCH, "--limit", "run-threads=100", "--limit", "replay-threads=100")
    assert few["verdict"] == "unknown"
    assert any(text.startswith("run-threads = 100 ") and "32,768 are needed" in text for text in few["limits"]), few
    assert "--limit run-threads=32768" in few["next"]
    told = run("check", path, *LAUNCH, "--limit", "run-threads=100", "--limit", "replay-threads=100").out
    assert "limit reached: run-threads = 100 (threads of a launch" in told
    more = checked(run, path, *LAUNCH, "--limit", "run-threads=32768")
    assert more["verdict"] == "proved" and "limits" not in more


def test_what_is_definite_stays(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(float *x, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n) x[i] = 1;\n}\n")
    usual = checked(run, path)
    other = checked(run, path, "--limit", "run-threads=1", "--limit", "unroll-rounds=1")
    assert usual["verdict"] == other["verdict"] == "proved" and "limits" not in other


def test_settings_give_limits_and_the_command_line_others(run: Run, kernel_file: Write) -> None:
    path = kernel_file(MANY)
    (path.parent / "spmd.toml").write_text("[limits]\nrun-threads = 100\nreplay-threads = 100\n")
    assert checked(run, path, *LAUNCH)["verdict"] == "unknown"
    assert checked(run, path, *LAUNCH, "--limit", "run-threads=100000")["verdict"] == "proved"
    told = run("config", "--limits", "--project", path.parent).out
    assert "run-threads        100 " in told and "spmd.toml" in told
    (path.parent / "spmd.toml").write_text("[limits]\nthreads = 7\n")
    ran = run("check", path)
    assert ran.status == 2 and "there is no limit 'threads'; there are unroll-rounds" in ran.out + ran.err


SCAN = """__global__ void k(const float *x, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    for (int step = 1; step < 64; step *= 2) {
        __syncthreads();
        float before = t >= step ? s[t - step] : 0;
        __syncthreads();
        s[t] += before;
    }
    out[t] = s[t];
}
"""
ROW = """__global__ void k(const float *x, float *out) {
    float sum = 0;
    for (int i = 0; i <= threadIdx.x; i++) sum += x[i];
    out[threadIdx.x] = sum;
}
"""


def test_limits_of_a_comparison(run: Run, kernel_file: Write) -> None:
    one, two = kernel_file(SCAN, "one.cu"), kernel_file(ROW, "two.cu")
    launch = "--block", "64", "--grid", "1", "--format", "jsonl"
    few = run("equiv", one, two, *launch, "--limit", "symbol-threads=8").records[0]
    assert few["verdict"] == "unknown" and few["limits"][0].startswith("symbol-threads = 8 "), few
    assert "symbol-threads=64" in few["next"]
    assert run("equiv", one, two, *launch).records[0]["verdict"] == "equal"
    assert run("equiv", one, two, "--limit", "symbol-threads=x").status == 2


NEST = """__global__ void k(float *x, int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[(i * m + j) * blockDim.x + threadIdx.x] = i;
}
"""
"""Two loops that stay."""
TREE = """// spmd: block=64 grid=1
__global__ void k(const float *x, float *y) {
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    for (int step = 32; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    }
    if (threadIdx.x == 0) y[0] = s[0];
}
"""
LINE = """// spmd: block=64 grid=1
__global__ void k(const float *x, float *y) {
    float sum = 0;
    for (int i = 0; i < 64; i++) sum += x[i];
    if (threadIdx.x == 0) y[0] = sum;
}
"""


def test_loops_inside_each_other(run: Run, kernel_file: Write) -> None:
    path = kernel_file(NEST)
    launch = "--block", "32", "--grid", "1", "--require", "n < 100 && m < 100 && n >= 0 && m >= 0"
    usual, few = checked(run, path, *launch), checked(run, path, *launch, "--limit", "loop-nesting=1")
    assert usual["verdict"] == "proved" and "limits" not in usual
    assert few["verdict"] == "unknown" and few["limits"][0].startswith("loop-nesting = 1 "), few
    assert "loop-nesting=2" in few["next"]


def test_terms_of_certainty(run: Run, kernel_file: Write) -> None:
    paths = kernel_file(TREE, "a.cu"), kernel_file(LINE, "b.cu")
    usual = run("equiv", *paths, "--certify", "--format", "jsonl").records[0]
    assert usual["verdict"] == "equal" and usual["assurance"] == "proved"
    few = run("equiv", *paths, "--certify", "--format", "jsonl", "--limit", "certify-work=10").records[0]
    assert few["verdict"] == "unknown" and any(text.startswith("certify-work = 10 ") for text in few["limits"]), few
    assert "are needed" not in str(few["limits"]) and "--limit certify-work=100 " in few["next"]


@pytest.mark.parametrize("text", ["run-threads", "run-threads=0", "run-threads=-1", "run-threads=1e9", "threads=1", "=1", ""])
def test_no_limit(text: str) -> None:
    with pytest.raises(InputError, match="limit"):
        limits.checked(counts("--limit", [text]))


def test_what_is_counted_as_it_goes_asks_for_tenfold() -> None:
    """How much there would have been nobody knows where the work was stopped: the next number would only lead to the next one."""
    with limits.using({"races": 3, "run-threads": 3}):
        assert not limits.RACES.allows(4) and not limits.RUN_THREADS.allows(4)
        assert {each.name: (each.needed, each.higher) for each in limits.met()} == {"races": (None, 30), "run-threads": (4, 4)}


def test_each_question_begins_anew() -> None:
    with limits.using({}):
        with limits.using({"run-threads": 10}):
            assert not limits.RUN_THREADS.allows(11) and limits.met()[0].higher == 11
            with limits.using({}):
                assert limits.met() == () and limits.RUN_THREADS.value == 10
            assert [reached.name for reached in limits.met()] == ["run-threads"]
        assert limits.met() == () and limits.RUN_THREADS.allows(11)
