"""What a verdict rests on is said: limits that a launch breaks, one thread that nobody asked for, runs that are too large."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

Write = Callable[..., Path]

BREAKS = {
    "an index as an int": ("int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = 1;", 2097153, "refuted"),
    "an index as an int, twice": ("int i = blockIdx.x * blockDim.x + threadIdx.x; a[2 * i] = 1;", 1048577, "refuted"),
    "an index as an unsigned": ("unsigned i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = 1;", 4194305, "unknown"),
    "compared before it is used": ("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 1;", 4300000, "unknown"),
    "times a parameter": ("unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * n; a[i] = 1;", 50000, "unknown"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_launch_beyond_a_limit_of_the_proof_for_all_sizes(name: str, run: Run, kernel_file: Write) -> None:
    body, grid, outcome = BREAKS[name]
    path = kernel_file(f"__global__ void k(int *a, unsigned n) {{ {body} }}")
    (free,) = run("check", path, "--format", "jsonl").records
    assert any("wrap in" in text for text in free["assumptions"]), free["assumptions"]
    record = _at(run, path, grid)
    status = "confirmed" if outcome == "refuted" else "potential"
    assert record["properties"]["no-wrap"] == outcome
    assert any(finding["rule"] == "index-overflow" and finding["status"] == status for finding in record["findings"])


@pytest.mark.parametrize("name", [name for name, (*_, outcome) in BREAKS.items() if outcome == "unknown"])
def test_a_grid_that_is_left_open_breaks_no_limit(name: str, run: Run, kernel_file: Write) -> None:
    """Nobody says that there are so many blocks."""
    path = kernel_file(f"__global__ void k(int *a, unsigned n) {{ {BREAKS[name][0]} }}")
    (record,) = run("check", path, "--block", "1024", "--format", "jsonl").records
    assert record["properties"]["no-wrap"] == "proved"
    assert not [finding for finding in record["findings"] if finding["rule"] == "index-overflow"]


@pytest.mark.parametrize("name", BREAKS)
def test_launch_within_the_limit(name: str, run: Run, kernel_file: Write) -> None:
    body = BREAKS[name][0]
    assert _at(run, kernel_file(f"__global__ void k(int *a, unsigned n) {{ {body} }}"), 2)["properties"]["no-wrap"] == "proved"


RELIED_ON = {
    "a hash": "unsigned h = (blockIdx.x * 2654435761u + threadIdx.x) & 1023u; atomicAdd(&a[h], 1);",
    "a hash of the thread": "unsigned h = threadIdx.x * 2654435761u; atomicAdd(&a[h >> 22], 1);",
    "below zero": "unsigned h = threadIdx.x - 1u; if (h < 7u) atomicAdd(&a[h], 1);",
}


@pytest.mark.parametrize("name", RELIED_ON)
def test_wrap_that_the_code_relies_on_is_no_overflow(name: str, run: Run, kernel_file: Write) -> None:
    path = kernel_file(f"__global__ void k(int *a, unsigned n) {{ {RELIED_ON[name]} }}")
    assert _at(run, path, 3000000)["properties"]["no-wrap"] == "proved"


def _at(run: Run, path: Path, grid: int) -> dict[str, Any]:
    flags = "--block", "1024", "--grid", grid, "--arg", "n=100", "--format", "jsonl"
    record: dict[str, Any] = run("check", path, *flags).records[0]
    return record


# -- one thread -----------------------------------------------------------------------------------


@pytest.mark.parametrize("body", ["a[3]++;", "a[n] = 1; a[n + 1] += 2;", "for (int i = 0; i < n; i++) a[i] = i;"])
def test_one_thread_that_nobody_asked_for(body: str, run: Run, kernel_file: Write) -> None:
    path = kernel_file(f"__global__ void k(int *a, int n) {{ {body} }}")
    ran = run("check", path, "--format", "jsonl")
    (record,) = ran.records
    assert record["scope"].startswith("one thread")
    assert any("one thread alone" in text and "--block 256 --grid 4" in text for text in record["assumptions"])
    text = run("check", path).out
    assert "scope: one thread" in text and "--block 256 --grid 4" in text
    (record,) = run("check", path, "--block", "256", "--grid", "4", "--arg", "n=3", "--format", "jsonl").records
    assert record["scope"] == "this launch" and not any("one thread" in text for text in record["assumptions"])
    assert "race" in {finding["rule"].removeprefix("same-value-write") or "race" for finding in record["findings"]}


@pytest.mark.parametrize(("launch", "verdict"), [("4, 256", "refuted"), ("1, 1", "proved")])
def test_the_launch_of_the_host_counts_where_one_thread_was_looked_at(launch: str, verdict: str, run: Run,
                                                                      kernel_file: Write) -> None:
    text = f"__global__ void k(int *a) {{ a[3]++; }}\nint main() {{ int *a; k<<<{launch}>>>(a); }}"
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert (record["beyond"]["scope"], record["verdict"]) == ("one thread", verdict)


@pytest.mark.parametrize(("body", "flags"), [("a[threadIdx.x] = 1;", ()), ("a[blockIdx.x] = threadIdx.x;", ()),
                                             ("a[3]++;", ("--block", "1", "--grid", "1")), ("a[blockDim.x] = 1;", ())])
def test_other_launches(body: str, flags: tuple[str, ...], run: Run, kernel_file: Write) -> None:
    path = kernel_file(f"__global__ void k(int *a) {{ {body} }}")
    (record,) = run("check", path, *flags, "--format", "jsonl").records
    assert "one thread" not in record["scope"] and not any("one thread" in text for text in record["assumptions"])


# -- memory ---------------------------------------------------------------------------------------

LARGE = {
    "an index far away": ("", "a[(blockIdx.x * 64L + t) << 40] = d[t];"),
    "an index far below": ("", "a[-(blockIdx.x * 64L + t) * 4611686018427L] = d[t];"),
    "an extent": (" a[900000000000]", "a[blockIdx.x * 64L + t] = d[t];"),
    "an extent that is read": (" d[900000000000]", "a[blockIdx.x * 64L + t] = d[t];"),
    "dynamic shared memory": ("", "extern __shared__ int s[]; s[t * 100000000L] = d[t]; __syncthreads(); "
                                  "a[blockIdx.x * 64L + t] = s[t * 100000000L];"),
    "a shared array": ("", "__shared__ int s[40000][40000]; s[t][n] = d[t]; __syncthreads(); a[blockIdx.x * 64L + t] = s[t][n];"),
    "a private array": ("", "int p[300000000]; p[t * n] = d[t]; a[blockIdx.x * 64L + t] = p[t * n];"),
    "data as an index": ("", "a[(long)d[t] << 40] = t; a[d[t]] = n;"),
    "a read by data": ("", "a[blockIdx.x * 64L + t] = d[(long)d[t] << 40];"),
    "a race far away": ("", "a[(t / 2L) << 41] = t;"),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_too_large_is_no_fault(name: str, run: Run, compared: Any, kernel_file: Write) -> None:
    given, body = LARGE[name]
    text = (f"// spmd: block=64 grid=2 n=3{given}\n"
            f"__global__ void k(int *a, const int *d, int n) {{ int t = threadIdx.x; {body} }}")
    path = kernel_file(text)
    for command in (("check", path), ("run", path, "--kernel", "k"), ("equiv", path, path)):
        ran = run(*command, "--format", "jsonl")
        assert ran.status in (0, 1, 3), (command, ran.out, ran.err)
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["properties"]["race-free"] == ("refuted" if "race" in name or "data as" in name else "proved")


def test_a_copy_of_the_memory_of_a_run_may_be_too_large(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    path = kernel_file("__global__ void k(int *a) { a[threadIdx.x * 1099511627776L] = 7; }")
    ran = run("run", path, "--block", "4", "--grid", "1", "--save", f"a={tmp_path}/a.npy")
    assert ran.status == 3 and "more than can be kept" in ran.err
    (record,) = run("run", path, "--block", "4", "--grid", "1", "--format", "jsonl").records
    assert record["outputs"]["a"]["elements"] == 3 * 2**40 + 1 and record["outputs"]["a"]["first"][0] == 7


def test_an_array_kept_in_pages_has_its_bounds(run: Run, kernel_file: Write) -> None:
    text = "// spmd: block=4 grid=1 a[900000000000]\n__global__ void k(int *a) {{ a[threadIdx.x * {}L] = 7; }}"
    for stride, outcome in ((299999999999, "proved"), (300000000001, "refuted")):
        (record,) = run("check", kernel_file(text.format(stride)), "--format", "jsonl").records
        assert record["properties"]["bounds"] == outcome


# -- locals that hold nothing ---------------------------------------------------------------------

ROWS = "// spmd: block=32,8 grid=1 n=512\n__global__ void k(const float *d, float *a, int n) { extern __shared__ float s[]; " \
       "int t = threadIdx.y * 32 + threadIdx.x; float sum = 0; %s s[t] = sum; __syncthreads(); a[t] = s[t]; }"
PLAIN = "for (int c = threadIdx.x; c < n; c++) sum += d[t * 512 + c] + d[t * 512 + c + 1];"
SETS = {
    "filled in a loop": "for (int c = threadIdx.x; c < n; c++) { float v[2]; "
                        "for (int j = 0; j < 2; j++) v[j] = d[t * 512 + c + j]; sum += v[0] + v[1]; }",
    "set in a branch": "for (int c = threadIdx.x; c < n; c++) { float v[2]; v[0] = d[t * 512 + c]; v[1] = d[t * 512 + c + 1]; "
                       "if (c >= 0) sum += v[0] + v[1]; else sum += v[1]; }",
    "a record": "struct P { float v[2]; }; for (int c = threadIdx.x; c < n; c++) { P p; p.v[0] = d[t * 512 + c]; "
                "p.v[1] = d[t * 512 + c + 1]; P q; q = p; sum += q.v[0] + q.v[1]; }",
    "more than is used": "for (int c = threadIdx.x; c < n; c++) { float v[4]; "
                         "for (int j = 0; j < 2; j++) v[j] = d[t * 512 + c + j]; sum += v[0] + v[1]; }",
}


@pytest.mark.parametrize("name", SETS)
def test_arrays_that_each_round_declares_anew(name: str, compared: Any) -> None:
    record = compared(ROWS % SETS[name], ROWS % PLAIN)
    assert record["verdict"] == "equal", record.get("reason")
    assert compared(ROWS % SETS[name].replace("+ 1", "+ 2").replace("j]", "2 * j]"), ROWS % PLAIN)["verdict"] != "equal"


def test_what_a_round_leaves_is_gone_in_the_next(compared: Any) -> None:
    text = ROWS % ("for (int c = threadIdx.x; c < n; c++) { float v[2]; if (c == 5) v[0] = d[c]; v[1] = d[t]; "
                   "sum += v[0] + v[1]; }")
    assert compared(text, text)["verdict"] != "equal"
