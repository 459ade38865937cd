"""Hints of another tool change no verdict, and are listed; what is asserted stays."""

from __future__ import annotations

import pytest
from conftest import Run

from automata.lang.hints import Hint, without_hints

LOOP = """__kernel void k(__global int *a, int n) {
  int i = get_local_id(0);
  __non_temporal_loads_begin();
  for (int j = i; HINTS j < n && j >= 0; j += 16) a[j] = VALUE;
}"""
HINTS = ("__global_invariant(n > 100),", "__invariant(__write_implies(a, (__write_offset_bytes(a)/sizeof(int)) % 16 == i)),",
         "__invariant(__implies(__read(a), 0)),\n  ", "__barrier_invariant_2(j == (i), 1, 2), __read_permission(a[j]),")


@pytest.mark.parametrize("hint", ["", *HINTS])
@pytest.mark.parametrize(("value", "verdict"), [("j", "proved"), ("a[j + 1]", "refuted")])
def test_a_hint_changes_no_verdict(hint: str, value: str, verdict: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file(LOOP.replace("HINTS", hint).replace("VALUE", value), "k.cl")
    (record,) = run("check", path, "--block", "16", "--grid", "1", "--format", "jsonl").records
    assert record["verdict"] == verdict
    told = [text for text in record["assumptions"] if "hints" in text]
    assert told and "__non_temporal_loads_begin (line 3)" in told[0] and (not hint or hint.partition("(")[0] in told[0])


@pytest.mark.parametrize(("claim", "verdict"), [("__invariant(j > i),", "refuted"), ("__assert(__no_write(a)),", "unsupported")])
def test_what_is_claimed_stays(claim: str, verdict: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file(LOOP.replace("HINTS", claim).replace("VALUE", "j"), "k.cl")
    (record,) = run("check", path, "--block", "16", "--grid", "1", "--format", "jsonl").records
    assert record["verdict"] == verdict


def test_places_stay() -> None:
    text = "x;\n__invariant(__read(\n a)) y; __invariant(z) __read_permission (q);"
    plain, hints = without_hints(text)
    assert len(plain) == len(text) and plain.count("\n") == text.count("\n") and plain.index("y;") == text.index("y;")
    assert "__invariant(z)" in plain and hints == [Hint("__invariant", 2), Hint("__read_permission", 3)]
    assert without_hints("#define __global_invariant(x) 1\n") == ("#define __global_invariant(x) 1\n", [])


def test_an_axiom_is_refused_by_name(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file("__axiom(blockIdx.x == 16);\n__global__ void k(int *a) { if (blockIdx.x != 16) a[0] = threadIdx.x; }")
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "unsupported" and "kernel.cu:1:1" in record["reason"] and "__axiom" in record["reason"]
