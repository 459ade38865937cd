"""Exact terms: what they prove is so, pairs that differ are never proved, and their arithmetic is that of sympy."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy
from conftest import ROOT, Run
from test_studies import entries

from automata import limits
from equivalence.domains.exact import Terms
from equivalence.domains.polynomials import Quotient, TooLarge

STUDIES = ROOT / "case_studies"
NEVER = sorted(path.parent for path in (Path(__file__).parent / "never_equal").glob("*/a.cu"))

PROVED = [("reduction", "serial.cu", "shuffles.cu", "real"), ("reduction", "sequential.cu", "first_add.cu", "bitwise"),
          ("softmax", "cross_original.cu", "cross_fused.cu", "real-exp-max"),
          ("attention", "online.cu", "flash.cu", "real-exp-max"), ("histogram", "original.cu", "grid_stride.cu", "bitwise")]


@pytest.mark.sliced(3)
@pytest.mark.parametrize("study, a, b, kind", PROVED, ids=lambda item: str(item))
def test_study_is_proved(study: str, a: str, b: str, kind: str, run: Run) -> None:
    record = run("equiv", STUDIES / study / a, STUDIES / study / b, "--certify", "--format", "jsonl").records[0]
    assert (record["verdict"], record.get("class"), record.get("assurance")) == ("equal", kind, "proved"), record.get("reason")
    assert "bound" not in record and not any("conjecture" in text for text in record["assumptions"])


@pytest.mark.sliced(100)
@pytest.mark.parametrize(("folder", "pair"), entries("pair"))
def test_equal_pairs_of_the_studies_are_proved_or_too_large(folder: Path, pair: dict[str, Any], run: Run) -> None:
    args = ["--certify", "--format", "jsonl", *pair.get("args", [])]
    record = run("equiv", folder / pair["a"], folder / pair["b"], *args).records[0]
    assert record["verdict"] in (pair.get("verdict", "equal"), "unknown"), record.get("reason")
    if record["verdict"] == "equal":
        assert (record["class"], record["assurance"]) == (pair.get("class"), "proved")


@pytest.mark.sliced(5)
@pytest.mark.parametrize("folder", NEVER, ids=lambda path: path.name)
def test_pair_once_called_equal_is_never_proved(folder: Path, run: Run) -> None:
    little = "--limit", "certify-work=50000"
    record = run("equiv", folder / "a.cu", folder / "b.cu", "--certify", "--format", "jsonl", *little).records[0]
    assert record["verdict"] in ("different", "unknown", "nondeterministic"), record


SAME = [
    ("maximum_shifts", "fmaxf(x[i] + y[i], x[i]) - x[i]", "fmaxf(y[i], 0.0f)", True),
    ("maximum_of_three", "fmaxf(fmaxf(x[0], x[1]), x[2])", "fmaxf(x[1], fmaxf(x[2], x[0]))", True),
    ("maximum_twice", "fmaxf(fmaxf(x[0], x[1]), x[0])", "fmaxf(x[0], x[1])", True),
    ("minimum", "-fmaxf(-x[i], -fminf(y[i], x[0]))", "fminf(fminf(y[i], x[0]), x[i])", True),
    ("exponents_add", "expf(x[i]) * expf(y[i] - x[i])", "expf(y[i])", True),
    ("exponent_of_a_choice", "x[i] < 0.0f ? expf(-x[i]) : expf(x[i])", "x[i] < 0.0f ? 1.0f / expf(x[i]) : expf(x[i])", True),
    ("tests_are_idempotent", "x[i] < 0.0f ? (x[i] < 0.0f ? y[i] : 1.0f) : 2.0f", "x[i] < 0.0f ? y[i] : 2.0f", True),
    ("quotients_add", "x[i] / y[i] + y[i] / x[i]", "(x[i] * x[i] + y[i] * y[i]) / (x[i] * y[i])", True),
    ("maximum_is_no_sum", "fmaxf(x[i], y[i])", "x[i] + y[i]", False),
    ("exponents_multiply_not", "expf(x[i] * y[i])", "expf(x[i]) * expf(y[i])", False),
    ("a_test_below_the_line", "1.0f / (x[i] < 0.0f ? 1.0f : 0.5f)", "x[i] < 0.0f ? 1.0f : 2.0f", None),
    ("a_third", "x[i] / 3.0f", "x[i] * 0.33333334f", False),
]


@pytest.mark.parametrize("name, one, two, wanted", SAME, ids=lambda item: str(item))
def test_law(name: str, one: str, two: str, wanted: bool | None, run: Run, tmp_path: Path) -> None:
    for side, text in (("a", one), ("b", two)):
        (tmp_path / f"{side}.cu").write_text(
            "// spmd: block=4 grid=1\n__global__ void k(const float *x, const float *y, float *out) {"
            f" int i = threadIdx.x; out[i] = {text}; }}\n")
    record = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--certify", "--format", "jsonl").records[0]
    if wanted is None:
        assert record["verdict"] in ("equal", "unknown")
    else:
        assert (record["verdict"] == "equal") is wanted, record


def test_terms_that_grow_too_large_are_given_up() -> None:
    terms = Terms()
    product = terms.constant(1)
    with limits.using({"certify-work": 50_000}), pytest.raises(TooLarge):
        for at in range(0, 80, 2):
            pair = terms.ring("+", terms.atom(("input", at)), terms.atom(("input", at + 1)))
            product = terms.ring("*", product, pair)


# -- arithmetic against sympy -----------------------------------------------------------------------------------


NAMES = sympy.symbols("p q r")


def grown(draw: random.Random, terms: Terms, depth: int) -> tuple[int, Any]:
    """A random rational function, as a term and for sympy."""
    if depth == 0 or draw.random() < 0.15:
        if draw.random() < 0.4:
            value = Fraction(draw.randint(-3, 3), draw.choice((1, 1, 2, 3)))
            return terms.constant(value), sympy.Rational(value.numerator, value.denominator)
        at = draw.randrange(len(NAMES))
        return terms.atom(("input", at)), NAMES[at]
    (one, first), (two, second) = grown(draw, terms, depth - 1), grown(draw, terms, depth - 1)
    op = draw.choice("+-**/")
    if op == "/":
        if sympy.cancel(second) == 0:
            return one, first
        return terms.ring("*", one, terms.inverse(two)), first / second
    return terms.ring(op, one, two), {"+": first + second, "-": first - second, "*": first * second}[op]


def as_sympy(term: Quotient) -> Any:
    def polynomial(key: Any) -> Any:
        total = sympy.Integer(0)
        for monomial, factor in key:
            known = sympy.Rational(Fraction(factor).numerator, Fraction(factor).denominator)
            total += known * sympy.prod([NAMES[atom] ** power for atom, power in monomial])
        return total
    return polynomial(term.top) / polynomial(term.bottom)


def test_arithmetic_is_that_of_sympy() -> None:
    draw, same = random.Random(7), 0
    for _ in range(60):
        terms = Terms()
        for at in range(len(NAMES)):
            terms.atom(("input", at))
        (one, first), (two, second) = grown(draw, terms, 3), grown(draw, terms, 3)
        assert sympy.cancel(as_sympy(terms.terms[one]) - first) == 0
        assert terms.same(one, two) is bool(sympy.cancel(first - second) == 0)
        other = terms.ring("-", terms.ring("+", one, two), two)
        assert terms.same(other, one)
        same += other == one
    assert same
