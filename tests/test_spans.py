"""Intervals of terms hold whatever the symbols are: random values with random guards, computed by C's rules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from conftest import Run

from automata import arithmetic
from automata.logic import terms as T
from automata.logic.arith import Mode
from automata.logic.terms import Owner, Term
from automata.proof.known.spans import BEYOND, Spans
from automata.scalar import BOOL, I8, I32, I64, U8, U32

KINDS = (I32, I32, U32, I64, I8, U8)
OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
RUNS, POINTS = 500, 40


def number(choose: random.Random, symbols: list[Term], depth: int) -> Term:
    """A random integer term."""
    if depth == 0 or choose.random() < 0.15:
        kind = choose.choice(KINDS)
        return T.cast(choose.choice(symbols), kind) if choose.random() < 0.7 else T.const(
            choose.choice((0, 1, 2, 3, 7, 100, kind.high, kind.low)), kind)
    one, two = number(choose, symbols, depth - 1), number(choose, symbols, depth - 1)
    shape = choose.random()
    if shape < 0.1:
        return T.unary(choose.choice("-~"), one)
    two = T.cast(two, one.type)
    if shape < 0.2:
        return T.select(comparison(choose, one, two), one, two)
    return T.binary(choose.choice(OPERATORS), one, two)


def comparison(choose: random.Random, one: Term, two: Term) -> Term:
    test = T.binary(choose.choice(("<", "<=", "==")), *choose.sample((one, two), 2))
    return T.negate(test) if choose.random() < 0.3 else test


def moved(choose: random.Random, term: Term) -> Term:
    """A term, or a constant more or less than it."""
    return T.binary(choose.choice("+-"), term, T.const(choose.choice((1, 2, 100)), term.type)) if choose.random() < 0.4 else term


def value(term: Term, given: dict[Term, int]) -> int:
    """The value of a term by C's rules, what is undefined there wrapped as devices do."""
    if term in given:
        return given[term]
    if term.op == "const":
        return int(str(term.data))
    if term.op == "ite":
        return value(term.args[1] if value(term.args[0], given) else term.args[2], given)
    args = [value(arg, given) for arg in term.args]
    if term.op == "cast":
        return int(arithmetic.cast(args[0], term.args[0].type, term.type))
    if term.op in ("&&", "||"):
        return int((all if term.op == "&&" else any)(args))
    if len(args) == 1:
        return int(not args[0]) if term.op == "!" else int(arithmetic.unary("-" if term.op == "neg" else "~", args[0], term.type))
    return int(arithmetic.binary(term.op, *args, term.args[0].type))


@pytest.mark.parametrize("seed", range(RUNS))
def test_values_are_within_their_spans(seed: int) -> None:
    choose = random.Random(seed)
    symbols = [T.symbol(name, kind, Owner.LAUNCH) for name, kind in zip("abc", choose.sample(KINDS, 3), strict=True)]
    ranges = {}
    for symbol in symbols:
        low = min(max(symbol.type.low, choose.choice((-50, -3, 0, 1, 2**31 - 20))), symbol.type.high - 9)
        ranges[T.symbol_of(symbol)] = low, min(low + choose.choice((0, 5, 200)), symbol.type.high)
    term = number(choose, symbols, 4)
    parts = [part for part in T.subterms(term) if part.type.is_int and part.type != BOOL]
    tests = []
    for _ in range(choose.randrange(3)):
        one, two = choose.choice(parts), number(choose, symbols, 1)
        test = comparison(choose, moved(choose, one), T.cast(two, one.type))
        other = comparison(choose, moved(choose, one), T.cast(number(choose, symbols, 0), one.type))
        tests.append(T.disjunction(test, other) if choose.random() < 0.4 else test)
    guard = T.all_of(tuple(tests))
    spans = Spans(guard, ranges, {})
    seen = 0
    for _ in range(POINTS):
        given = {symbol: choose.randint(*ranges[T.symbol_of(symbol)]) for symbol in symbols}
        try:
            holds, found = value(guard, given), {part: value(part, given) for part in parts}
        except arithmetic.Undefined:
            continue
        if holds:
            seen += 1
            for part, result in found.items():
                low, high = spans.of(part)
                assert low <= result <= high, (T.show(part), T.show(guard), given)
    assert seen or tests or not parts or any(part.op in ("/", "%", "<<", ">>") for part in parts)


def whole(term: Term, given: dict[Term, int]) -> int:
    """The integer that an encoder has for a term: of sums, differences and products before any of it wraps."""
    if term in given or term.op not in ("+", "-", "*", "neg", "~", "cast", "ite", "<<"):
        return value(term, given)
    if term.op == "ite":
        return whole(term.args[1] if value(term.args[0], given) else term.args[2], given)
    if term.op == "<<":
        return value(term.args[0], given) << value(term.args[1], given)
    if term.op == "cast":
        inner = term.args[0]
        return value(inner, given) if inner.type == BOOL or inner.type.bits < term.type.bits else whole(inner, given)
    one, *others = (whole(arg, given) for arg in term.args)
    match term.op:
        case "+":
            return one + others[0]
        case "-":
            return one - others[0]
        case "*":
            return one * others[0]
    return -one if term.op == "neg" else -one - 1


@pytest.mark.parametrize("seed", range(RUNS))
def test_values_are_within_their_spans_where_some_do_not_leave_their_types(seed: int) -> None:
    for inner in range(6):
        choose = random.Random(seed * 6 + inner)
        symbols = [T.symbol(name, kind, Owner.LAUNCH) for name, kind in zip("abc", choose.sample(KINDS, 3), strict=True)]
        ranges = {}
        for symbol in symbols:
            low = min(max(symbol.type.low, choose.choice((-50, -3, 0, 1, 2**31 - 20))), symbol.type.high - 9)
            ranges[T.symbol_of(symbol)] = low, min(low + choose.choice((0, 5, 200)), symbol.type.high)
        term = number(choose, symbols, 4)
        parts = [part for part in T.subterms(term) if part.type.is_int and part.type != BOOL]
        plain = [part for part in parts if part.op in ("+", "-", "*", "neg", "~", "cast") and choose.random() < 0.5]
        spans = Spans(T.TRUE, ranges, dict.fromkeys(plain, Mode.PLAIN))
        for _ in range(POINTS // 4):
            given = {symbol: choose.randint(*ranges[T.symbol_of(symbol)]) for symbol in symbols}
            try:
                found = {part: value(part, given) for part in parts}
            except arithmetic.Undefined:
                continue
            if all(part.type.low <= whole(part, given) <= part.type.high for part in plain):
                for part, result in found.items():
                    low, high = spans.of(part)
                    assert low <= result <= high, (T.show(part), given)


def test_the_greater_of_two_is_not_bounded_by_a_residue() -> None:
    """x + 4 does not leave its type for x = -3, and nor does that of the greater of x and 7, as unsigned numbers."""
    x = T.symbol("x", I32, Owner.LAUNCH)
    converted, seven = T.cast(x, U32), T.const(7, U32)
    most = T.select(T.binary("<", converted, seven), seven, converted)
    place = T.binary("+", most, T.const(4, U32))
    low, high = Spans(T.TRUE, {T.symbol_of(x): (-3, -1)}, {place: Mode.PLAIN}).of(place)
    assert low <= 1 and high >= 3


def test_a_remainder_times_sizes_is_bounded() -> None:
    """A polynomial over an unknown quotient is not."""
    x, w, h = (T.symbol(name, I32, Owner.LAUNCH) for name in "xwh")
    inside = T.binary("<", x, T.const(1000, I32))
    row = T.binary("%", T.binary("/", x, w), h)
    place = T.binary("+", T.binary("*", row, w), T.binary("%", x, w))
    spans = Spans(inside, {T.symbol_of(w): (1, 10), T.symbol_of(h): (1, 20), T.symbol_of(x): (0, I32.high)}, {})
    assert spans.of(place) == (0, 199)


def test_what_does_not_leave_its_type_is_bounded_by_it() -> None:
    """A guard bounds a converted number of rounds, and what it is converted from, where the conversion keeps the value."""
    rounds, n = T.symbol("rounds", I64, Owner.LAUNCH), T.symbol("n", I32, Owner.LAUNCH)
    count = T.cast(rounds, I32)
    ranges = {T.symbol_of(rounds): (0, I64.high), T.symbol_of(n): (0, 9)}
    guard = T.binary("<", count, n)
    assert Spans(guard, ranges, {}).of(rounds) == (0, I64.high)
    assert Spans(guard, ranges, {count: Mode.PLAIN}).of(rounds) == (0, 8)


def test_the_round_before_bounds_the_number_of_rounds() -> None:
    """Where there was one; what converts its number keeps the value only then."""
    rounds, n = T.symbol("rounds", I64, Owner.LAUNCH), T.symbol("n", I32, Owner.LAUNCH)
    before = T.cast(T.binary("-", rounds, T.const(1, I64)), I32)
    ranges = {T.symbol_of(rounds): (0, 2**62), T.symbol_of(n): (0, 9)}
    tested = T.binary("<", before, n)
    head = T.disjunction(T.binary("==", T.const(0, I64), rounds), tested)
    begun = {before: T.binary("<=", T.const(1, I64), rounds)}
    assert Spans(head, ranges, {}, begun).of(rounds) == (0, 9)
    assert Spans(tested, ranges, {}, begun).of(rounds) == (0, 2**62)
    assert Spans(head, ranges, {}).of(rounds) == (0, 2**62)


DIGITS = """__global__ void k(const float *in, float *out, int n, int w, int h, int c, int b, int g, int kh, int kw) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int column = i % w, row = i / w % h, image = i / w / h / c % b, channel = i / w / h % c;
    float s = 0;
    for (int y = 0; y < kh; y++)
      for (int x = 0; x < kw; x++)
        s += in[(((image * g + channel / g) FACTOR * kh * kw + y * kw + x) * h + row) * w + column];
    out[i] = s;
  }
}
"""


@pytest.mark.parametrize(("factor", "verdict"), [("", "proved"), ("* 2", "proved"), ("* 1000000", "unknown")])
def test_digits_times_sizes_are_assumed_to_fit_where_they_fit_at_small_sizes(factor: str, verdict: str, run: Run,
                                                                             tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(DIGITS.replace("FACTOR", factor))
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == verdict, record
    assert record["verdict"] != "proved" or any("not wrap" in text for text in record["assumptions"])


def test_squares_of_squares_are_not_computed() -> None:
    x = T.symbol("x", I32, Owner.LAUNCH)
    term = x
    for _ in range(60):
        term = T.binary("+", T.binary("*", term, term), x)
    spans = Spans(T.TRUE, {T.symbol_of(x): (2, 3)}, {})
    assert spans.number(T.binary("-", term, term)) == BEYOND or spans.number(term) == BEYOND
    assert spans.of(term) == (I32.low, I32.high)
