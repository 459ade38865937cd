"""Terms and formulas that nest thousands deep, and the time limit that holds whatever runs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from conftest import Run

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder
from automata.logic.atom import atom
from automata.logic.ladder import Query, decide
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Sat, Unsat
from automata.logic.terms import Owner, Term
from automata.place import TIME_IS_UP
from automata.scalar import BOOL, I32

DEPTH = 4_000


def _number(name: str) -> Term:
    return T.symbol(name, I32, Owner.LAUNCH)


def _encoder(*symbols: Term) -> Encoder:
    return Encoder(ranges={T.symbol_of(each): (T.const(0, I32), T.const(100, I32)) for each in symbols})


def test_a_deep_term_is_encoded() -> None:
    x = _number("x")
    value = x
    for step in range(DEPTH):
        value = T.select(T.binary("<", value, T.const(step, I32)), T.binary("+", value, T.const(1, I32)), value)
    assert value.depth > DEPTH
    encoder = _encoder(x)
    assert encoder.number(value, ANY).atoms()
    deep = T.binary("<", value, T.const(3, I32))
    assert encoder.truth(deep, ANY) == encoder.truth(deep, ANY)


def test_a_deep_truth_is_encoded_and_decided() -> None:
    x = _number("x")
    test = T.binary("==", x, T.const(0, I32))
    for step in range(1, DEPTH):
        other = T.binary("==", x, T.const(step % 90, I32))
        test = T.conjunction(test, T.negate(other)) if step % 2 else T.disjunction(test, T.conjunction(test, other))
    encoder = _encoder(x)
    formula = encoder.truth(test, ANY)
    assert isinstance(decide(Query([formula], encoder)), Sat)
    assert isinstance(decide(Query([formula, P.lt(Poly.number(0), encoder.number(x, ANY))], encoder)), Unsat)


def test_a_deep_formula_is_turned_round_and_changed() -> None:
    value = Poly.atom(atom("x", "x"))
    formula: Formula = P.eq(value, Poly.number(0))
    for step in range(1, DEPTH):
        other = P.le(value, Poly.number(step))
        formula = P.conj((formula, other)) if step % 2 else P.disj((formula, other))
    assert P.neg(P.neg(formula)) == formula
    assert P.map_polys(formula, lambda poly: poly) == formula


def test_an_unknown_truth_has_a_number() -> None:
    """A function of which nothing is known, whose result is a truth: once it was encoded by means of itself, without end."""
    encoder = _encoder()
    held = T.call("safe", (), BOOL)
    number = encoder.number(held, ANY)
    assert encoder.interval(number) == (0, 1)
    assert encoder.truth(held, ANY) == P.neg(P.eq(number, Poly.number(0)))
    wide = T.cast(_number("x"), BOOL)
    encoder = _encoder(_number("x"))
    assert encoder.truth(wide, ANY) == P.neg(P.eq(encoder.number(_number("x"), ANY), Poly.number(0)))


def test_the_limit_holds_whatever_runs(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that never looks at its budget is ended from outside, and the kernel is unknown."""
    def for_ever(*args: object, **kwargs: object) -> object:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr("spmd.checked.prove", for_ever)
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(int *a) { a[threadIdx.x] = 1; }\n")
    began = time.monotonic()
    ran = run("check", path, "--timeout", "1", "--format", "jsonl")
    assert time.monotonic() - began < 5
    assert (ran.status, ran.records[0]["verdict"], ran.records[0]["reason"]) == (3, "unknown", TIME_IS_UP)
    assert set(ran.records[0]["properties"].values()) == {"unknown"}


@pytest.mark.parametrize(("last", "verdict"), [("out[i] = 1;", "proved"), ("out[i / 2] = i;", "refuted")])
def test_hundreds_of_conditions_in_a_row(run: Run, tmp_path: Path, last: str, verdict: str) -> None:
    """The index is looked at under each of them."""
    returns = "".join(f"  if (a[i] == {step}) return;\n" for step in range(300))
    path = tmp_path / "k.cu"
    path.write_text(f"__global__ void k(int *out, const int *a) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    f"{returns}  {last}\n}}\n")
    record = run("check", path, "--format", "jsonl").records[0]
    assert record["verdict"] == verdict, record.get("reason")
