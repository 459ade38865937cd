"""What nobody has set is equal to nothing: not where it cancels, either; passed on or left out it does no harm."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from automata import arithmetic
from automata.logic import terms as T
from automata.logic.terms import Owner, Term
from automata.logic.undefined import Nothing
from automata.proof.symbolic.states import Conjunct, State, met
from automata.scalar import BOOL, I8

Write = Callable[..., Path]

USES = {
    "difference": "out[i] = v - v;", "product": "out[i] = v * 0;", "mask": "out[i] = v & 0;", "remainder": "out[i] = v % 1;",
    "all bits": "out[i] = (v | -1) + 1;", "equality": "out[i] = v == v;", "sums": "out[i] = (v + 1) - (v + 1);",
    "choice": "out[i] = v ? 1 : 1;", "test": "if (v == 3) out[i] = 1; else out[i] = 1;", "and": "out[i] = v && !v;",
    "through a local": "int w = v; out[i] = w - v;", "in some threads": "if (i > 3) v = 1; out[i] = v - v;",
    "or what is true": "bool f = true; out[i] = v > 0 || f;", "and what is false": "bool f = false; out[i] = v > 0 && f;",
    "behind a wrong test": "if (i > 3) v = 1; out[i] = i > 2 ? v - v : 0;",
}
SHARED = "__shared__ int s[8]; out[i] = s[i] - s[i];"
USES_NONE = {
    "left out": "if (i > 3) v = 1; out[i] = i > 3 ? v - v : 0;", "set later": "v = x[i]; out[i] = v - v;",
    "copied": "int w = v; w = i; out[i] = w;", "guarded": "if (i > 3) v = x[i]; if (i > 3) out[i] = v + 1;",
    "not looked at": "if (i > 3) v = x[i]; out[i] = i > 3 && v > 0;",
    "a struct in part": "struct P { int a, b; } p; p.a = x[i]; P q = p; out[i] = q.a + 1;",
    "shared": "__shared__ int s[8]; s[i] = x[i]; __syncthreads(); out[i] = s[7 - i] - s[7 - i];",
}


SET_BEFORE = {
    "until it is set": "bool more = true; while (more) if (x[i]) { v = x[i]; more = x[v] > 3; } out[i] = v;",
    "if it was found": "bool found = false; for (int k = 0; k < n; k++) if (x[k] > i) { v = k; found = true; } "
                       "if (found) out[i] = v;",
    "behind the same test": "if (i < n) v = x[i]; for (int k = 0; k < n; k++) if (i < n) v += x[k]; if (i < n) out[i] = v;",
    "in every round": "int w = 0; for (int k = 0; k < n; k++) { v = x[k]; w += v; } out[i] = w;",
    "by a mode": "int mode = 0; for (int k = 0; k < n && !mode; k++) { v = x[k]; mode = 2; } if (mode == 2) out[i] = v;",
    "in rounds that are made": "int k = 0; while (k < 5000) { v = x[k]; k += n > 0 ? n : 1; } out[i] = v;",
}
UNSET_AT_TIMES = {
    "whether or not it is set": "bool more = true; while (more) { if (x[i]) v = x[i]; more = x[i + 1] > 3; } out[i] = v;",
    "found before": "bool found = false; for (int k = 0; k < n; k++) { int w; if (x[k] == 3) { w = 2; found = true; } "
                    "if (found) out[i * n + k] = w; }",
    "not a second time": "bool more = true; for (int k = 0; k < n; k++) { int w; while (more) { w = x[i]; more = false; } "
                         "out[i * n + k] = w; }",
    "behind a test of what has changed": "int m = n; if (i < m) v = x[i]; for (int k = 0; k < n; k++) { m++; "
                                         "if (i < m) out[i * n + k] = v; else v = 1; }",
    "in no round": "for (int k = 0; k < n; k++) v = x[k]; out[i] = v;",
    "in a narrow type": "unsigned char done = 1; for (int k = 0; k < n; k++) { done = 256; if (x[k]) { v = 1; done = 1; } } "
                        "if (!done) out[i] = v;",
    "behind tests of memory": "for (int k = 0; k < n; k++) { if (out[k]) v = 1; out[k] = 1; if (out[k]) out[i] = v; }",
    "by a pointer": "bool found = false, *p = &found; for (int k = 0; k < n; k++) { if (x[k] == 3) *p = true; "
                    "else if (x[k] == 4) { v = 1; *p = true; } } if (found) out[i] = v;",
    "another way into a mode": "int mode = 0; for (int k = 0; k < n && !mode; k++) { if (x[k]) { v = x[k]; mode = 2; } "
                               "else if (x[k + 1]) mode = 2; } if (mode == 2) out[i] = v;",
}


def _in_loops(run: Run, kernel_file: Write, body: str) -> str:
    path = kernel_file(f"__global__ void k(const int *x, int *out, int n) {{ int i = threadIdx.x; int v; {body} }}")
    (record,) = run("check", path, "--block", "8", "--grid", "1", "--format", "jsonl").records
    return str(record["properties"]["order-free"])


@pytest.mark.parametrize("name", SET_BEFORE)
def test_what_is_set_wherever_it_is_read(name: str, run: Run, kernel_file: Write) -> None:
    assert _in_loops(run, kernel_file, SET_BEFORE[name]) == "proved"


@pytest.mark.parametrize("name", UNSET_AT_TIMES)
def test_what_some_way_leaves_unset(name: str, run: Run, kernel_file: Write) -> None:
    assert _in_loops(run, kernel_file, UNSET_AT_TIMES[name]) in ("unknown", "refuted")


def _record(run: Run, kernel_file: Write, body: str, launch: str) -> dict[str, Any]:
    path = kernel_file(f"// spmd: {launch}\n__global__ void k(const int *x, int *out) {{ int i = threadIdx.x; int v; {body} }}")
    record: dict[str, Any] = run("check", path, "--format", "jsonl").records[0]
    return record


@pytest.mark.parametrize("launch", ["block=8 grid=1", "block=8"])
@pytest.mark.parametrize("body", [*USES.values(), SHARED], ids=[*USES, "shared"])
def test_what_is_computed_with_nothing_is_not_proved(body: str, launch: str, run: Run, kernel_file: Write) -> None:
    record = _record(run, kernel_file, body, launch)
    assert record["properties"]["order-free"] != "proved", record
    assert any(finding["rule"] == "uninitialised-read" for finding in record["findings"])


@pytest.mark.parametrize("name", USES_NONE)
def test_what_is_passed_on_or_left_out_is_harmless(name: str, run: Run, kernel_file: Write) -> None:
    record = _record(run, kernel_file, USES_NONE[name], "block=8 grid=1")
    assert record["properties"]["order-free"] == "proved", record["findings"]


@pytest.mark.parametrize("name", USES)
def test_it_is_equal_to_nothing(name: str, compared: Any) -> None:
    head = "// spmd: block=8 grid=1\n__global__ void k(const int *x, int *out) { int i = threadIdx.x; int v; "
    for flags in ((), ("--certify",)):
        assert compared(head + USES[name] + " }", head + "v = 0; " + USES[name] + " }", *flags)["verdict"] != "equal"


@pytest.mark.parametrize("stated", ["grid=4", "block=32", "grid=(n+31)/32", "block=32 grid=4", ""])
def test_a_kernel_equals_itself_with_some_sizes_open(stated: str, compared: Any) -> None:
    text = f"""// spmd: {stated}
    __global__ void k(const float *x, float *out, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = x[i]; }}"""
    assert compared(text, text)["verdict"] == "equal"


X: Term
Y: Term
UNSET: list[Term]


@pytest.fixture(autouse=True)
def fresh_terms() -> None:
    """Terms of this test: those of an earlier one mean nothing once the pool was emptied."""
    global X, Y, UNSET
    X, Y = (T.symbol(name, I8, Owner.LAUNCH) for name in "xy")
    UNSET = [T.undefined(name, I8) for name in "uv"]


def _made(chance: random.Random, depth: int) -> Term:
    """A random number of x, y, and two values that nobody has set."""
    if depth == 0:
        return chance.choice((X, Y, T.const(1, I8), *UNSET))
    if chance.random() < 0.4:
        return T.select(_truth(chance, depth - 1), _made(chance, depth - 1), _made(chance, depth - 1))
    return T.binary(chance.choice("+-*&"), _made(chance, depth - 1), _made(chance, depth - 1))


def _truth(chance: random.Random, depth: int) -> Term:
    if depth > 0 and chance.random() < 0.5:
        return T.binary(chance.choice(("&&", "||")), _truth(chance, depth - 1), _truth(chance, depth - 1))
    test = T.binary(chance.choice(("<", "<=", "==")), _made(chance, max(depth - 1, 0)), _made(chance, max(depth - 1, 0)))
    return T.negate(test) if chance.random() < 0.3 else test


def _worth(term: Term, given: Mapping[Term, int]) -> int | None:
    """What C makes of a term; None: nothing."""
    if term in given or term.op == "undef":
        return given.get(term)
    constant = T.constant_value(term)
    if constant is not None:
        return int(constant)
    first = _worth(term.args[0], given)
    if first is None:
        return None
    if term.op == "ite":
        return _worth(term.args[1 if first else 2], given)
    if term.op in ("&&", "||") and bool(first) == (term.op == "||"):
        return int(bool(first))
    if term.op in ("!", "neg"):
        return int(arithmetic.unary("!" if term.op == "!" else "-", first, term.args[0].type))
    if term.op == "cast":
        return int(arithmetic.cast(first, term.args[0].type, term.type))
    second = _worth(term.args[1], given)
    return None if second is None else int(arithmetic.binary(term.op, first, second, term.args[0].type))


@pytest.mark.drawn(20)
def test_when_a_term_has_no_value(seed: int) -> None:
    chance = random.Random(seed)
    nothing, has_none = Nothing(), 0
    for _ in range(60):
        term = _made(chance, chance.randint(0, 4))
        test = nothing.of(term)
        for x, y in product((-1, 0, 1, 2), repeat=2):
            expected = _worth(term, {X: x, Y: y}) is None
            has_none += expected
            for unset in ((0, 1), (5, -3)):
                assert bool(_worth(test, {X: x, Y: y, **dict(zip(UNSET, unset, strict=True))})) == expected, str(term)
    assert has_none > 50


def test_sides_of_one_decision_that_meet_leave_none() -> None:
    tests = [T.binary("<", X, T.const(number, I8)) for number in (1, 2, 3, 4)]
    states, path = [], list[Conjunct]()
    for number, test in enumerate(tests):
        states.append(State((*path, Conjunct(test)), {"a": T.const(number, I8)}))
        path.append(Conjunct(T.negate(test)))
    states.append(State(tuple(path), {"a": T.const(9, I8)}))
    for group in (states, states[::-1]):
        found = met(group)
        assert found.path == ()
        for x in range(6):
            assert _worth(found.values["a"], {X: x}) == (max(x - 0, 0) if 0 < x < 4 else 0 if x == 0 else 9)
    part = met([states[0], states[2]])
    assert [_worth(part.condition, {X: x}) for x in range(5)] == [1, 0, 1, 0, 0]
    assert part.condition.type == BOOL
