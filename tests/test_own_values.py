"""Values that the machine makes up, or that a device may round otherwise: nothing is proved or confirmed that hangs on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run

from automata.lang.core import Assign, Binary, Kernel, Select, Store, Var
from automata.lang.exactness import is_exact, manner_of_call, manner_of_quotient
from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.lang.traverse import children, expressions, walk
from automata.machine.numbers.nudged import DIRECTIONS, Nudged
from automata.machine.running.run import Program
from automata.machine.state.fill import drawn_from
from automata.proof.known.context import prepare
from automata.proof.witness.caution import Caution
from automata.proof.witness.observed import observed
from automata.proof.witness.setting import setting_at
from automata.rewriting.lower import lower_for_runs
from automata.scalar import F32, F64, I32
from automata.thread.build import build
from automata.thread.contraction import Contraction
from automata.verdict import Finding

Write = Callable[..., Path]
RANDOM = "#include <curand_kernel.h>\n"
SEEDED = "curandState s; curand_init(t, 0, 0, &s); "

UNDECIDED = {
    "a random place": (RANDOM, SEEDED + "a[curand(&s) % 19990u] = t;"),
    "a random place that collides": (RANDOM, SEEDED + "a[curand(&s) % 4u] = t;"),
    "a random branch": (RANDOM, SEEDED + "if (curand_uniform(&s) < 0.9f) *a += 1;"),
    "a random place through shared memory": (RANDOM, "__shared__ unsigned p[64]; " + SEEDED
                                             + "p[t] = curand(&s) % 19990u; __syncthreads(); a[p[63 - t]] = t;"),
    "a clock": ("", "a[(unsigned)clock() % 64u] = t;"),
    "a sine as a place": ("", "a[(int)(sinf((float)t) * 1e9f) + 1000000000] = t;"),
    "an exponential beside an edge": ("", "a[(int)(logf(expf((float)(t + 1))) + 0.001f * t)] = t;"),
    "a product that a sum may take in": ("", "float x = 0.1f * t; a[(int)((x * 10.0f - t) * 1e9f) + t / 2 * 1000000] = t;"),
    "a product through a local": ("", "float p = t * 0.1f, q = p; q = 1e9f * (q - 0.3f); "
                                "if (q > 11.0f && q < 13.0f) *a = t;"),
    "a collision that a fused product undoes": ("", "float e = 0.1f * 10.0f - 1.0f; a[t * (e != 0.0f)] = t;"),
}


@pytest.mark.parametrize("name", UNDECIDED)
def test_neither_proved_nor_refuted(name: str, run: Run, kernel_file: Write) -> None:
    head, body = UNDECIDED[name]
    record = _checked(run, kernel_file, head, body)
    assert record["properties"]["race-free"] == "unknown", record["findings"]
    assert not any(finding["status"] == "confirmed" for finding in record["findings"])


REFUTED = {
    "both sides of a random branch": (RANDOM, SEEDED + "if (curand(&s) & 1) a[t] = 1; a[t / 2] = t;"),
    "random values alone": (RANDOM, SEEDED + "a[t / 2] = curand(&s);"),
    "an exponential far from an edge": ("", "if (expf((float)t) > 0.5f) *a = t;"),
    "data under a function": ("", "if (tanhf((float)d[t]) > 0.2f) *a = t;"),
    "a product that is exact": ("", "float x = 0.5f * t + 1.0f; a[(int)x] = t;"),
    "a quotient": ("", "a[(int)(t / 2.0f)] = t;"),
    "a product far from an edge": ("", "float x = t * 0.1f; float y = x * x + 1.0f; if (y < 10.0f) *a = t;"),
    "cells of its own at a place that is rounded": (
        "", "__shared__ int s_[64]; int own[4] = {}; own[4 - (unsigned)(log2f((float)(1 << (t & 3))) + 1)] += t; "
        "s_[t] = own[0]; a[t] = s_[63 - t];"),
}


@pytest.mark.parametrize("name", REFUTED)
def test_still_confirmed(name: str, run: Run, kernel_file: Write) -> None:
    head, body = REFUTED[name]
    assert _checked(run, kernel_file, head, body)["properties"]["race-free"] == "refuted"


PROVED = {
    "random values in cells of its own": (RANDOM, SEEDED + "a[t] = curand(&s);"),
    "a random branch around its own cell": (RANDOM, SEEDED + "for (int i = 0; i < 3; i++) if (curand(&s) & 1) a[t] += i;"),
    "a logarithm of a size": ("", "int r = (int)floorf(logf(64.0f)); for (int i = 0; i < r; i++) a[t] += i;"),
    "floats without rounding": ("", "float x = t * 2.0f; a[(int)x] = t; for (float y = 0; y < 2; y += 0.5f) a[2 * t] += 1;"),
}


@pytest.mark.parametrize("name", PROVED)
def test_still_proved(name: str, run: Run, kernel_file: Write) -> None:
    head, body = PROVED[name]
    assert _checked(run, kernel_file, head, body)["properties"]["race-free"] in ("proved",)


BARRIERS = {
    "random": (RANDOM, SEEDED + "if (curand(&s) & 1) __syncthreads(); a[t] = 1;"),
    "rounded": ("", "for (int i = 0; i < (int)(sinf((float)t) * sinf((float)t) + cosf((float)t) * cosf((float)t) + 0.0f); i++) "
                "__syncthreads(); a[t] = 1;"),
}


@pytest.mark.parametrize("name", BARRIERS)
def test_barriers(name: str, run: Run, kernel_file: Write) -> None:
    head, body = BARRIERS[name]
    assert _checked(run, kernel_file, head, body)["properties"]["barriers"] == "unknown"


def test_assertions_and_bounds_on_random_numbers(run: Run, kernel_file: Write) -> None:
    body = "__shared__ int s_[8]; " + SEEDED + "unsigned r = curand(&s); assert(r % 3u); s_[r % 9u] = 1; a[t] = s_[0];"
    record = _checked(run, kernel_file, RANDOM + "#include <assert.h>\n", body)
    assert (record["properties"]["assertions"], record["properties"]["bounds"]) == ("unknown", "unknown")


def test_a_run_says_what_it_has_made_up(run: Run, kernel_file: Write) -> None:
    path = kernel_file(_text(RANDOM, SEEDED + "a[curand(&s) % 4u] = t;"))
    (record,) = run("run", path, "--kernel", "k", "--block", "64", "--grid", "1", "--format", "jsonl").records
    races = [finding for finding in record["findings"] if finding["rule"] == "race"]
    assert races and all(finding["status"] == "potential" and "random numbers" in finding["note"] for finding in races)


@pytest.mark.parametrize(("text", "fused"), [
    ("x = a * b + c", True), ("x = a * b; y = x - c", True), ("x = -(a * b); y = c + x", True), ("x = a + b; y = x * c", False),
    ("x = a / b + c", False), ("s[0] = a * b; y = s[0] + c", True), ("s[0] = a + b; y = s[0] + c", False),
    ("x = c > 0 ? a * b : a; y = x + c", True), ("x = fminf(a * b, c) + c", False), ("i = j * 3 + 1", False)])
def test_what_may_be_fused(text: str, fused: bool, kernel_file: Write) -> None:
    path = kernel_file(f"__global__ void k(float *o, float a, float b, float c, int j) {{ float x = 0, y = 0; int i = 0; "
                       f"__shared__ float s[4]; {text}; o[i] = x; o[1] = y; }}")
    kernel = find_kernels(str(path), None)[0].read()
    assert any(Contraction(kernel).may_fuse(expr) for expr in _all(kernel)) is fused


def _all(kernel: Kernel) -> list[Any]:
    todo = [expr for stmt in walk(kernel.body) for expr in expressions(stmt)]
    for expr in todo:
        todo += children(expr)
    assert any(isinstance(stmt, Assign | Store) for stmt in walk(kernel.body))
    return [expr for expr in todo if isinstance(expr, Binary | Select | Var)]


@pytest.mark.parametrize(("function", "kind", "dialect", "manner"), [
    ("sqrt", F32, "cuda", None), ("sqrt", F32, "opencl", "rounded"), ("sqrt", F64, "opencl", None),
    ("sin", F32, "cuda", "rounded"),
    ("__expf", F32, "cuda", "rounded"), ("half_sqrt", F32, "opencl", "rounded"), ("mad", F32, "opencl", "rounded"),
    ("random_value", I32, "cuda", "made-up"), ("address", I32, "cuda", "made-up"), ("floor", F32, "cuda", None),
    ("float2int_rn", I32, "cuda", None), ("__fadd_rz", F32, "cuda", None), ("popcount", I32, "cuda", None)])
def test_what_all_devices_compute_alike(function: str, kind: Any, dialect: str, manner: str | None) -> None:
    assert manner_of_call(function, kind, dialect) == manner
    assert is_exact(function) or manner is not None
    assert (manner_of_quotient(F32, "opencl"), manner_of_quotient(F32, "cuda")) == ("rounded", None)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_nudged_numbers(direction: Any) -> None:
    values = Nudged("opencl", direction)
    three, tenth = (np.array([number, number], np.float32) for number in (3.0, 0.1))
    assert values.binary("*", three, three, F32).tolist() == [9.0, 9.0]
    assert values.binary("+", tenth, three, F32).tolist() == (tenth + three).tolist()
    assert values.binary("*", np.float32(3), np.float32(0.5), F32) == 1.5
    for off, plain in ((values.binary("*", three, tenth, F32), three * tenth),
                       (values.binary("/", three, tenth, F32), three / tenth),
                       (values.call("sin", [three], [F32], F32), np.sin(three))):
        assert (off != plain).all() and np.allclose(off, plain, atol=0.01)
        assert direction == "apart" or ((off > plain) == (direction == "up")).all()


def _text(head: str, body: str) -> str:
    return head + "__global__ void k(int *a, const int *d) { int t = threadIdx.x; " + body + " }"


def _checked(run: Run, kernel_file: Write, head: str, body: str) -> dict[str, Any]:
    record: dict[str, Any] = run("check", kernel_file(_text(head, body)), "--block", "64", "--grid", "1",
                                 "--format", "jsonl").records[0]
    return record


def test_a_run_with_other_rounding_is_made_once_for_all_findings(kernel_file: Write) -> None:
    text = _text("", "float x = 0.1f * t, y = x * x + x; if (y < 1e9f) { a[t / 2] = t; a[t / 3 + 99] = t; }")
    kernel = find_kernels(str(kernel_file(text)), None)[0].read()
    caution = Caution(Program(build(lower_for_runs(kernel, {}))))
    context = prepare(kernel, Launch((1, 1, 1), (8, 1, 1), {}))
    runs: list[Program] = []

    def show(program: Program) -> list[Finding]:
        runs.append(program)
        return observed(program.run(setting_at(context, {}, drawn_from((1.0, 2.0)))))

    found = show(caution.program)
    assert len(found) > 1 and caution.kept(found, show) == found
    assert len(runs) == 1 + len(DIRECTIONS)
