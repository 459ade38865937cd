"""Plain reads of which compare-and-swaps say whether they were current: no race where the value goes nowhere else, with the
assumption printed; a race in every other case."""

from __future__ import annotations

import re

import pytest
from conftest import Run

from automata.lang.core import Kernel
from automata.lang.read import find_kernels
from automata.rewriting.validated import ASSUMED, with_validated_reads

KERNEL = """// spmd: block=64 grid=4
__global__ void k(TYPE *x, int *y, const int *in, const int *table, int n) {
  __shared__ int s;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  BODY
}
"""
LOOP = """int old = x[0], assumed;
  do { assumed = old; old = atomicCAS(&x[0], assumed, max(assumed, in[i])); } while (assumed != old);"""
LONG = "unsigned long long"
DOUBLE = f"""{LONG} *a = ({LONG} *)x, old = *a, assumed;
  do {{ assumed = old; old = atomicCAS(a, assumed, __double_as_longlong(in[i] + __longlong_as_double(assumed))); }}
  while (assumed != old);"""
FLOAT = """int *a = (int *)x, old = *a, expected;
  do { expected = old; old = atomicCAS(a, expected, __float_as_int(fminf(__int_as_float(expected), 1.0f * in[i]))); }
  while (expected != old);"""

VALIDATED = {
    "the largest": (LOOP, "int"),
    "the guide's sum of doubles": (DOUBLE, "double"),
    "the smallest float": (FLOAT, "float"),
    "read in each round": ("while (true) { int e = x[0]; if (atomicCAS(&x[0], e, e + in[i]) == e) break; }", "int"),
    "carried without a second local": ("""int old = x[0];
  while (true) { int seen = atomicCAS(&x[0], old, 3 * old + in[i]); if (seen == old) break; old = seen; }""", "int"),
    "the next value in a local of its own": ("""int old = x[0], assumed, next;
  do { assumed = old; next = assumed > in[i] ? assumed : in[i] + 1; old = atomicCAS(&x[0], assumed, next); }
  while (old != assumed);""", "int"),
    "the next value chosen by a branch": ("""int old = x[0], assumed;
  do { assumed = old; int next = in[i]; if (assumed > next) next = assumed; old = atomicCAS(&x[0], assumed, next); }
  while (old != assumed);""", "int"),
    "at a cell that the thread names": ("int at = in[i] & 63; " + LOOP.replace("x[0]", "x[at]"), "int"),
    "at a cell for each round": ("for (int at = 0; at < 4; ++at) { " + LOOP.replace("x[0]", "x[at]") + " }", "int"),
    "in shared memory": ("if (threadIdx.x == 0) s = 0; __syncthreads(); " + LOOP.replace("x[0]", "s"), "int"),
    "given up after some rounds": ("""int old = x[0], assumed, left = 4;
  do { assumed = old; old = atomicCAS(&x[0], assumed, assumed + 1); } while (assumed != old && --left);""", "int"),
}


def text(body: str, kind: str = "int") -> str:
    return KERNEL.replace("BODY", body).replace("TYPE", kind)


def is_validated(kernel: Kernel) -> bool:
    return any(said.startswith(ASSUMED) for said in with_validated_reads(kernel).assumptions)


@pytest.mark.parametrize("name", VALIDATED)
def test_a_read_is_taken_for_a_load(name: str, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (found,) = find_kernels(str(kernel_file(text(*VALIDATED[name]))))
    once = with_validated_reads(found.read())
    assert is_validated(found.read()) and with_validated_reads(once) == once


@pytest.mark.parametrize("name", ["the largest", "the guide's sum of doubles", "at a cell for each round"])
def test_no_race_and_an_assumption(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    small = text(*VALIDATED[name]).replace("block=64 grid=4", "block=8 grid=2")
    (record,) = run("check", kernel_file(small), "--format", "jsonl").records
    assert record["properties"]["race-free"] == "proved", record
    assert any(said.startswith(ASSUMED) for said in record["assumptions"])


def test_strictly_it_is_a_race(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(text(LOOP)), "--format", "jsonl", "--strict").records
    assert record["properties"]["race-free"] == "refuted"


RACES = {
    "the value is stored besides": (LOOP.replace("assumed;", "assumed; y[i] = old;", 1), "int"),
    "the result of the loop is stored": (LOOP + " y[i] = old;", "int"),
    "what it expected is stored": (LOOP + " y[i] = assumed;", "int"),
    "a copy is stored": (LOOP.replace("assumed;", "assumed; int first = old; y[i] = first;", 1), "int"),
    "a test skips the loop": ("""int old = x[0], assumed;
  if (old < in[i]) do { assumed = old; old = atomicCAS(&x[0], assumed, in[i]); } while (assumed != old);""", "int"),
    "a test ends the loop": ("""int old = x[0], assumed;
  while (old < in[i]) { assumed = old; old = atomicCAS(&x[0], assumed, in[i]); if (old == assumed) break; }""", "int"),
    "the swap is of another cell": (LOOP.replace("atomicCAS(&x[0]", "atomicCAS(&x[1]") + " atomicAdd(&x[0], 1);", "int"),
    "a second swap is of another cell": (LOOP + " atomicCAS(&x[1], old, 5);", "int"),
    "what is stored was computed of another read": ("""int other = x[0], old = x[0], assumed;
  do { assumed = old; old = atomicCAS(&x[0], assumed, max(other, in[i])); } while (assumed != old);""", "int"),
    "what is stored is of an earlier round": ("""int old = x[0], assumed, next = 0; bool first = true;
  do { assumed = old; if (first) next = assumed + in[i]; first = false; old = atomicCAS(&x[0], assumed, next); }
  while (assumed != old);""", "int"),
    "what is expected is set after it was computed of": ("""int old = x[0];
  while (true) {
    int next = old + in[i]; old = in[i]; int seen = atomicCAS(&x[0], old, next); if (seen == old) break; old = seen; }""", "int"),
    "the value is a subscript": (LOOP.replace("max(assumed, in[i])", "table[assumed & 7]"), "int"),
    "another update takes the value": (LOOP.replace("assumed;", "assumed; atomicAdd(&y[0], old);", 1), "int"),
    "two reads are compared": ("int p = x[0], q = x[0]; if (p != q) y[i] = 1; atomicCAS(&x[0], p, 3);", "int"),
    "the cell moves on": ("""int old = 0;
  for (int at = 0; at < 4; ++at) { if (at == 0) old = x[at]; atomicCAS(&x[at], old, in[i]); }""", "int"),
    "a plain store": (LOOP + " if (i == 3) x[0] = 4;", "int"),
    "a plain addition": ("x[0] += in[i]; " + LOOP, "int"),
    "the swap is compared before it is made": ("""int old = x[0], seen = 0;
  while (true) { if (seen == old) break; seen = atomicCAS(&x[0], old, in[i]); old = in[i]; }""", "int"),
    "only one block swaps": (LOOP.replace("atomicCAS", "atomicCAS_block"), "int"),
    "two bytes": ("unsigned short old = x[0], assumed; do { assumed = old; old = atomicCAS(&x[0], assumed, (unsigned short)"
                  "(assumed + in[i])); } while (assumed != old);", "unsigned short"),
    "the words of a longer one": (f"""unsigned lo = ((unsigned *)x)[0], hi = ((unsigned *)x)[1];
  {LONG} old = ({LONG})hi << 32 | lo, assumed;
  do {{ assumed = old; old = atomicCAS(&x[0], assumed, assumed + in[i]); }} while (assumed != old);""", LONG),
    "a comparison of floats": ("""int *a = (int *)x, old = *a, e;
  do { e = old; old = atomicCAS(a, e, in[i]); } while (__int_as_float(e) != __int_as_float(old));""", "float"),
}


BESIDE = ("a plain store", "a plain addition", "only one block swaps", "what is stored was computed of another read")
"""Here the read that begins the loop is none, and something else is a race."""


@pytest.mark.parametrize("name", RACES)
def test_the_read_stays_as_it_is(name: str, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (found,) = find_kernels(str(kernel_file(text(*RACES[name]))))
    assert is_validated(found.read()) == (name in BESIDE)


@pytest.mark.parametrize("name", [*BESIDE, "the value is stored besides", "the swap is of another cell"])
def test_it_stays_a_race(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(text(*RACES[name])), "--format", "jsonl").records
    assert record["properties"]["race-free"] == "refuted", record


@pytest.mark.parametrize("name", [*VALIDATED, *RACES])
def test_names_decide_nothing(name: str, kernel_file) -> None:  # type: ignore[no-untyped-def]
    body, kind = (VALIDATED | RACES)[name]
    other = re.sub(r"\b(old|assumed|expected|next|seen|e|p|q|at)\b", lambda name: f"blockIdx_{name[0][::-1]}", body)
    (one,), (two,) = (find_kernels(str(kernel_file(text(each, kind)))) for each in (body, other))
    assert is_validated(one.read()) == is_validated(two.read())


def test_what_the_loop_leaves_may_show_the_order(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    """No race, and still not deterministic: each doubles what is there first."""
    small = text(LOOP.replace("max(assumed, in[i])", "2 * assumed + in[i]")).replace("block=64 grid=4", "block=8 grid=2")
    (record,) = run("check", kernel_file(small), "--format", "jsonl").records
    assert record["properties"]["race-free"] == "proved" and record["properties"]["order-free"] != "proved"
