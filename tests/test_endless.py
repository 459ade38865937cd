"""Loops that never end at the launch: found where a state recurs, never passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from conftest import Run

from automata import limits
from automata.budget import UNLIMITED
from automata.lang.core import Kernel, Loop
from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.lang.traverse import walk
from automata.proof.known.context import prepare
from automata.proof.runs import endless
from automata.proof.runs.counted import counts
from automata.proof.witness.analysis import Analysis
from automata.rewriting.lower import lower
from automata.thread.build import build
from automata.thread.repeating import Repeating

Write = Callable[..., Path]

DIVERGES = {
    "before a barrier": "int i = t; while (i < 4) { if (n > 9) i += 4; } __syncthreads(); a[t] = i;",
    "a counter that stands still": "for (int i = t; i < 8; i += n - 3) a[t] += i; __syncthreads();",
    "doubling zero": "for (int s = t / 8; s < 8; s *= 2) a[t] += s; __syncthreads();",
    "a state of two locals": "int i = 0, j = 1; while (t < 4 && i < 8) { int k = i; i = j; j = k; } __syncthreads(); a[t] = i;",
    "an inner loop": "for (int r = 0; r < 3; r++) { int i = t; while (i == 5) if (n > 9) i++; } __syncthreads(); a[t] = 1;",
    "under a switch": "int i = t; while (1) { if (i == 2) continue; break; } __syncthreads(); a[t] = i;",
    "of a warp": "int i = t; while (i == 3) if (n > 9) i++; __syncwarp(); a[t] = i;",
}


@pytest.mark.parametrize("name", DIVERGES)
def test_barrier_that_is_waited_at_in_vain(name: str, run: Run, kernel_file: Write) -> None:
    record = _checked(run, kernel_file, DIVERGES[name])
    assert (record["verdict"], record["properties"]["barriers"]) == ("refuted", "refuted"), record["findings"]
    assert {"barrier-divergence", "endless-loop"} <= {finding["rule"] for finding in record["findings"]}
    assert "proved" not in (record["properties"]["race-free"], record["properties"]["order-free"])
    assert not any(text.startswith("loops end") for text in record["assumptions"])


FOUND = {
    "without a barrier": "int i = t; while (i < 4) { if (n > 9) i += 4; } a[t] = i;",
    "for all threads": "while (true) { if (n > 9) break; a[t] = 1; }",
    "a float that adds nothing": "for (float x = t; x < 100.0f; x += n - 3.0f) a[t] = 1;",
    "that runs many rounds at once": "int s = 0; while (t + n < 99) s += n; a[t] = s;",
    "with work beside it": "int i = t, s = 0; while (i < 4) { s += d[t]; if (n > 9) i += 4; } a[t] = s;",
    "round a barrier": "int s = 0; for (int i = 0; i < 20 * t; i++) s += i; while (n < 9) { __syncthreads(); "
                       "for (int i = 0; i < 20 * t; i++) s += i; } a[t] = s;",
    "in some blocks": "int i = blockIdx.x; while (i == 1) { if (n > 9) i = 0; } a[t + blockIdx.x * blockDim.x] = i;",
}


@pytest.mark.parametrize("name", FOUND)
def test_endless_loop_without_a_barrier(name: str, run: Run, kernel_file: Write) -> None:
    record = _checked(run, kernel_file, FOUND[name])
    (finding,) = (finding for finding in record["findings"] if finding["rule"] == "endless-loop")
    assert record["verdict"] == "refuted" and finding["status"] == "confirmed"
    assert record["properties"]["barriers"] == "proved"


NOT_SEEN = {
    "it wraps around": "for (unsigned k = t; k >= 0; k--) a[t] = 1;",
    "what is made up decides whether it is come to": "curandState s; curand_init(t, 0, 0, &s); "
                                                      "if (curand(&s) & 1) while (n < 9) a[t] = 2; a[t] = 1;",
    "data decide whether it is come to": "if (d[t] > 1000000) while (n < 9) a[t] = 2; a[t] = 1;",
}


@pytest.mark.parametrize("name", NOT_SEEN)
def test_loop_that_was_not_seen_to_end(name: str, run: Run, kernel_file: Write) -> None:
    with limits.using({"ending-rounds": 2000}):
        record = _checked(run, kernel_file, NOT_SEEN[name])
    assert record["verdict"] == "unknown" and "whether the loop at line" in record["reason"]


PROVED = {
    "a counter": "for (int i = t; i < n * 100; i += 7) a[t] += i; __syncthreads(); a[t] += 1;",
    "down": "for (int i = t; i > 0; i--) a[t] += i; __syncthreads(); a[t] += 1;",
    "halved": "for (int i = t; i > 0; i >>= 1) a[t] += i; __syncthreads(); a[t] += 1;",
    "for each thread its own": "int i = t; while (i * i < 500) i++; __syncthreads(); a[t] = i;",
    "up and down": "int i = t + 1; while (i != 1) i = i / 2 + i % 2; __syncthreads(); a[t] = i;",
    "a jump in the middle": "int i = t; while (true) { if (i >= 9) break; i++; a[t] += 1; } __syncthreads(); a[t] += 1;",
    "on data": "int i = d[t]; while (i != 3) i = i * i % 7; __syncthreads(); a[t] = i;",
    "that waits for others": "volatile int *f = a; while (f[t] == 0) ; ",
    "counted for long": "int i = 0; while (i != 20000 + t % 2) i++; __syncthreads(); a[t] = i;",
}


@pytest.mark.parametrize("name", PROVED)
def test_loops_that_end(name: str, run: Run, kernel_file: Write) -> None:
    record = _checked(run, kernel_file, PROVED[name])
    assert record["verdict"] == "proved", record


def test_all_sizes_are_not_blamed_for_some(run: Run, kernel_file: Write) -> None:
    """Of a launch without numbers it is an assumption that loops end."""
    text = _text("for (int i = t; i < 8; i += n) a[t] += i;")
    (record,) = run("check", kernel_file(text), "--block", "8", "--grid", "1", "--format", "jsonl").records
    assert not any(finding["rule"] == "endless-loop" for finding in record["findings"])
    assert any(item.startswith("loops end") for item in record["assumptions"])


def test_a_run_goes_on_without_the_thread(run: Run, kernel_file: Write) -> None:
    path = kernel_file(_text(DIVERGES["before a barrier"]))
    ran = run("run", path, "--block", "32", "--grid", "1", "--arg", "n=3", "--format", "jsonl")
    rules = [finding["rule"] for finding in ran.records[0]["findings"]]
    assert ran.status == 1 and rules == ["barrier-divergence", "endless-loop"]
    places = ran.records[0]["findings"][0]["places"]
    assert [place["access"] for place in places] == ["waits at this barrier", "goes round this loop for ever"]


def test_a_long_run_passes_by_a_loop_that_decides(run: Run, kernel_file: Write) -> None:
    """Another round depends on `j`, which no thread ever declares."""
    text = _text("for (int i = 0; i < 3000; i++) { for (int k = 1; k < 9; k++) { if (t % (2 * k) == 0) continue; "
                 "for (int j = 1; j < blockDim.x; j *= 2) if (k == 1) return; a[t] = i; } }")
    assert run("run", kernel_file(text), "--block", "1", "--grid", "1", "--arg", "n=3").status == 0


def test_amplification_proves_nothing_of_it(run: Run, kernel_file: Write) -> None:
    path = kernel_file(_text("int i = t; while (i < 4) { if (n > 9) i += 4; } a[t] = i;"))
    (record,) = run("run", path, "--block", "32", "--grid", "1", "--arg", "n=3", "--amplify", "--format", "jsonl").records
    assert record["verdict"] == "unknown" and "never ends" in record["reason"]


def test_equality_is_not_claimed(compared: Any) -> None:
    text = "// spmd: block=32 grid=1 n=3\n" + _text("int i = t; while (i < 4) { if (n > 9) i += 4; } a[t] = i;")
    assert compared(text, text)["verdict"] != "equal"


@pytest.mark.parametrize(("loop", "ends"), [
    ("for (int i = t; i < n; i += 2)", True), ("for (int i = t; i <= n; ++i)", True),
    ("for (int i = t; i < n; i += d[0])", False),
    ("for (int i = t; n > i; i++)", True), ("for (int i = n; i > t; i -= 3)", True), ("for (int i = n; i < t; i -= 3)", False),
    ("for (unsigned i = t; i < 100u; i += 3)", True), ("for (unsigned i = t; i <= 0xffffffffu; i++)", False),
    ("for (unsigned i = t; i < n; i += 3)", False), ("for (unsigned i = t; i < n; i++)", True),
    ("for (unsigned i = n; i > 0; i--)", True), ("for (unsigned i = n; i > 0; i -= 2)", False),
    ("for (unsigned i = n; i >= 0; i--)", False), ("for (unsigned char i = 0; i < 256; i++)", False),
    ("for (int i = n; i > 0; i /= 2)", True), ("for (int i = n; i >= 0; i >>= 1)", False),
    ("for (int i = 1; i < n; i *= 2)", False),
    ("for (int i = n; (unsigned)i > 0u; i -= 2)", False), ("for (int i = t; i <= 0x7fffffff; i++)", False),
    ("for (int i = t; i < n && d[i]; i++)", True), ("for (int i = t; i < n || d[i]; i++)", False),
    ("for (long i = t; i < n; i += 1)", True), ("for (int i = t; i < n; n++, i++)", False),
    ("for (int i = t; i != n; i++)", False)])
def test_which_counters_end_a_loop(loop: str, ends: bool, kernel_file: Write) -> None:
    kernel = find_kernels(str(kernel_file(_text(f"{loop} a[t] += 1;"))), None)[0].read()
    (found,) = (stmt for stmt in walk(lower(kernel, {}).body) if isinstance(stmt, Loop))
    assert counts(found) is ends


@pytest.mark.parametrize(("body", "names"), [
    ("int i = t; while (i < n) { a[t] += d[i]; i += 2; }", {"i"}),
    ("int i = t, j = 0; while (i < n) { j += i; i += j; }", {"i", "j"}),
    ("int i = t, j = 0; while (i < n) { j += i; i++; }", {"i"}), ("int i = t; while (i < n) { i += a[i]; a[t] = 1; }", None),
    ("int i = t; while (i < n) { i += d[i]; }", {"i"}), ("int i = t; while (a[i] < n) a[i++] = 2;", None),
    ("int i = t; while (i < n) { i = __shfl_sync(~0u, i, 0) + 1; }", None), ("while (n) { a[t] = 1; }", set()),
    ("int i = t; while (i < n) { i += (int)sinf((float)i); }", None)])
def test_what_decides_another_round(body: str, names: set[str] | None, kernel_file: Write) -> None:
    automaton = build(find_kernels(str(kernel_file(_text(body))), None)[0].read())
    found = [Repeating(automaton).locals_of(head) for head in automaton.loops]
    assert found == [None if names is None else frozenset(names)]


@pytest.mark.parametrize(("body", "is_run"), [
    ("int s = 0; for (int i = t; i < 8; i += 2) s += i; a[t] = s;", False),
    ("int s = 0; for (int i = t; i < 8; i += n) s += d[i]; a[t] = s;", True),
    ("int s = 0; for (int i = t; i != 99; i += 1) s += d[i]; a[t] = s;", True),
    ("int s = 0, i = t; do { s += d[i]; i = (i + 1) % 40; } while (i); a[t] = s;", True)])
def test_loops_that_count_are_not_lowered_for_a_run(body: str, is_run: bool, kernel_file: Write,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = find_kernels(str(kernel_file(_text(body))))[0].read()
    lowered: list[object] = []

    def noted(given: Kernel, known: Mapping[str, int]) -> Kernel:
        lowered.append(given)
        return lower(given, known)

    monkeypatch.setattr(endless, "lower", noted)
    monkeypatch.setattr(endless, "decided_loops", lambda automaton, free: [])
    context = prepare(kernel, Launch(block=(32, 1, 1), grid=(1, 1, 1), args={"n": 3}))
    said = endless.see_that_loops_end(kernel, cast(Analysis, SimpleNamespace(loops_end=False, context=context)), UNLIMITED)
    assert (said, bool(lowered)) == ((), is_run)


def test_loop_without_an_end_inside_of_one_that_meets(run: Run, kernel_file: Write) -> None:
    """What decides the rounds of the outer one reaches nothing behind it: that is said, and no fault."""
    body = "__shared__ int s[32]; int v = 0; s[t] = d[t]; __syncthreads(); for (int q = 0; q < n; q++) { " \
           "for (int l = 0; ; l++) v += s[l % 32]; __syncthreads(); } a[t] = v;"
    record = run("check", kernel_file(_text(body)), "--block", "32", "--format", "jsonl").records[0]
    assert record["verdict"] in ("proved", "unknown")
    assert any(text.startswith("loops end") for text in record["assumptions"]), record


def _text(body: str) -> str:
    head = "#include <curand_kernel.h>\n" if "curand" in body else ""
    return f"{head}__global__ void k(int *a, const int *d, int n) {{ int t = threadIdx.x; {body} }}"


def _checked(run: Run, kernel_file: Write, body: str) -> dict[str, Any]:
    grid = 3 if "blockIdx" in body else 1
    record: dict[str, Any] = run("check", kernel_file(_text(body)), "--block", "32", "--grid", grid, "--arg", "n=3",
                                 "--format", "jsonl").records[0]
    return record
