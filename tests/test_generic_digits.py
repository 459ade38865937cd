"""Digits of integers of data by arithmetic: shifts, masks, divisions, narrower types, each beside twins that are no equality; and
forms of random expressions against what the machine computes."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest
from test_generic import generic

from automata import arithmetic
from automata.logic.arith import Encoder
from automata.logic.poly import Poly
from automata.scalar import I8, I16, I32, I64, U8, U32, U64, Scalar
from equivalence.generic.digits import lies_in
from equivalence.generic.equality import Equality
from equivalence.generic.form import INT, Factor, Form
from equivalence.generic.forms import Forms
from equivalence.generic.integers import Integers
from equivalence.generic.lanes import Position
from equivalence.generic.operations import Operations
from equivalence.generic.values import Node

FRAME = """// spmd: block=64 grid=(n+63)/64 x[n] u[n] c[n] b[n] w[n] y[n] require n >= 0
__global__ void k(const int *x, const unsigned *u, const signed char *c, const unsigned char *b,
                  const short *w, {kind} *y, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = {value}; }}
"""


def shown(folder: Path, one: str, two: str, kind: str = "int") -> str | None:
    """The class in which two expressions are shown equal."""
    made = generic(folder, (FRAME.format(value=one, kind=kind), FRAME.format(value=two, kind=kind)))
    return None if made is None or made.kind is None else made.kind.value


GOOD = {
    "a rounded shift": ("(w[i] * c[i] + (1 << 14)) >> 15", "((c[i] * w[i] >> 14) + 1) >> 1"),
    "a shift of a shift": ("x[i] >> 9", "(x[i] >> 4) >> 5"),
    "low bits": ("u[i] & 15", "u[i] % 16"),
    "low bits of a negative number": ("x[i] & 15", "x[i] - ((x[i] >> 4) * 16)"),
    "a field": ("(u[i] >> 4) & 15", "(u[i] & 255) >> 4"),
    "a field of a byte": ("b[i] >> 4", "(b[i] & 240) / 16"),
    "a field of a field": ("(u[i] >> 8 & 255) >> 4", "u[i] >> 12 & 15"),
    "a narrower type": ("(unsigned char)x[i]", "x[i] & 255"),
    "a word from its halves": ("u[i]", "(u[i] >> 16 << 16) | (u[i] & 65535)"),
    "bytes put together": ("(b[i] & 15) + (b[i] & 240)", "b[i]"),
    "disjoint bits": ("(x[i] << 4) ^ (b[i] >> 4)", "x[i] * 16 + b[i] / 16"),
    "a division rounds to zero": ("x[i] / 8", "(x[i] + ((x[i] >> 31) & 7)) >> 3"),
    "a remainder with a sign": ("x[i] % 8", "x[i] - ((x[i] + ((x[i] >> 31) & 7)) >> 3) * 8"),
    "a division of a division": ("u[i] / 15", "u[i] / 3 / 5"),
    "the sign by any shift": ("(c[i] >> 7) & 1", "c[i] >> 30 & 1"),
    "what is a multiple": ("(b[i] * 12) / 4", "b[i] * 3"),
    "bits cleared": ("x[i] & ~7", "x[i] >> 3 << 3"),
    "bits of a sum": ("(u[i] + u[i] * 15u) >> 4 & 0", "(u[i] & 15u) - u[i] % 16u"),
    "a divisor that wraps": ("u[i] / (u[i] - u[i] + 4294967295u + 5u)", "u[i] >> 2"),
    "centred fours": ("(b[i] & 15) - 8 + ((b[i] >> 4) - 8) * 16", "b[i] - 136"),
}
BAD = {
    "no rounding": ("(w[i] * c[i] + (1 << 14)) >> 15", "(w[i] * c[i]) >> 15"),
    "half of the rounding": ("(w[i] * c[i] + (1 << 13)) >> 15", "((c[i] * w[i] >> 14) + 1) >> 1"),
    "a sum that wraps": ("(x[i] + (1 << 14)) >> 15", "((x[i] >> 14) + 1) >> 1"),
    "a product that wraps": ("(u[i] * 16u) >> 4", "u[i]"),
    "a shift that loses bits": ("u[i] << 8 >> 8", "u[i]"),
    "one bit more": ("u[i] & 15", "u[i] % 32"),
    "a negative remainder": ("x[i] & 15", "x[i] % 16"),
    "a negative quotient": ("x[i] >> 3", "x[i] / 8"),
    "a negative byte": ("c[i] >> 4", "(c[i] & 240) >> 4"),
    "a field too wide": ("(u[i] >> 4) & 31", "(u[i] & 255) >> 4"),
    "bits that meet": ("(x[i] << 4) | b[i]", "x[i] * 16 + b[i]"),
    "a sign that is bits": ("(x[i] << 8) | c[i]", "x[i] * 256 + c[i]"),
    "a type with a sign": ("(signed char)x[i]", "x[i] & 255"),
    "divided in another order": ("u[i] / 3 * 2", "u[i] * 2 / 3"),
    "unsigned against signed": ("(int)(u[i] >> 1)", "(int)u[i] >> 1"),
    "a sum that is halved": ("(u[i] + b[i]) >> 1", "(u[i] >> 1) + (b[i] >> 1)"),
    "no carry": ("(w[i] + c[i]) & 255", "(w[i] & 255) + (c[i] & 255)"),
    "a divisor that wraps": ("u[i] / (u[i] - u[i] + 4294967295u + 5u)", "0"),
    "a remainder by one that wraps": ("u[i] % (u[i] - u[i] + 4294967295u + 5u)", "u[i]"),
    "a shift after narrowing": ("(unsigned char)x[i] >> 2", "(unsigned char)(x[i] >> 2)"),
}


@pytest.mark.sliced(3)
@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    """As integers, and not bit for bit without their laws."""
    assert shown(tmp_path, *GOOD[what]) == "int"


@pytest.mark.sliced(3)
@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    assert shown(tmp_path, *BAD[what]) is None


def test_a_word_of_64_bits_is_no_word_of_32(tmp_path: Path) -> None:
    assert shown(tmp_path, "(long long)u[i] * 16 >> 4", "u[i]", "long long") == "int"
    assert shown(tmp_path, "(long long)(u[i] * 16u) >> 4", "u[i]", "long long") is None


def test_a_part_of_a_word_becomes_a_float(tmp_path: Path) -> None:
    one = "(float)((u[i] >> 4) & 15) + (float)(u[i] & 15)"
    assert shown(tmp_path, one, "(float)((u[i] & 15) + (u[i] / 16 % 16))", "float") == "real"
    assert shown(tmp_path, one, "(float)((u[i] & 15) + (u[i] / 16 % 32))", "float") is None


# -- random expressions -----------------------------------------------------------------------------------------

class Values(Operations):
    """Forms of expressions over elements of arrays."""

    def __init__(self) -> None:
        self.algebra = Equality(Integers(Encoder(), []), INT)
        self.used, self.noted = {}, {}

    def form(self, node: Node, at: Position) -> Form:
        if node.op == "load":
            return self.algebra.of(self.algebra.read(str(node.data), node.type, Poly.number(0)))
        if node.op == "ints":
            return self.algebra.number(int(str(node.data)))
        return self.operation(node, [self.form(each, at) for each in node.args])


DATA = {"x": I32, "u": U32, "c": I8, "b": U8, "w": I16, "l": I64, "v": U64}
NUMBERS = (1, 2, 3, 4, 7, 8, 10, 12, 15, 16, 31, 32, 128, 240, 255, 256, 4096, 65535, 65536)


def number(value: int, kind: Scalar) -> Node:
    return Node("ints", kind, (), value)


def expression(dice: random.Random, depth: int) -> Node:
    """An expression of C, of 32 or 64 bits."""
    if depth == 0 or dice.random() < 0.1:
        name = dice.choice(list(DATA))
        made = Node("load", DATA[name], (), name)
        return made if made.type.bits >= 32 else Node("cast", I32, (made,))
    one = expression(dice, depth - 1)
    kind, op = one.type, dice.choice((">>", ">>", "<<", "&", "&", "|", "^", "/", "%", "+", "-", "*", "cast", "cast", "both"))
    if op == "cast":
        narrow = dice.choice(list(DATA.values()))
        made = Node("cast", narrow, (one,))
        return made if narrow.bits >= 32 else Node("cast", I32, (made,))
    if op == "both":
        two = expression(dice, depth - 1)
        return Node("binary", kind, (one, two if two.type == kind else Node("cast", kind, (two,))), dice.choice("+-*|&^"))
    if op in ("<<", ">>"):
        return Node("binary", kind, (one, number(dice.randrange(min(kind.bits, 20)), I32)), op)
    by = number(dice.choice(NUMBERS) * (dice.choice((1, 1, 1, -1)) if kind.low else 1), kind)
    return Node("binary", kind, (one, by), op)


def computed(node: Node, data: dict[str, int]) -> int:
    """What the machine makes of it."""
    match node.op:
        case "load" | "ints":
            return data[str(node.data)] if node.op == "load" else int(str(node.data))
        case "cast":
            return node.type.wrap(computed(node.args[0], data))
    one, two = (computed(each, data) for each in node.args)
    return int(arithmetic.binary(str(node.data), one, two, node.args[0].type))


def worth(algebra: Forms, form: Form, data: dict[str, int]) -> Fraction:
    """What a form is at some data."""
    total = Fraction(0)
    for mono, coef in form.terms.items():
        part = Fraction(coef)
        for each, power in mono:
            part *= worth_of(algebra, algebra.factors[each], data) ** int(power)
        total += part
    return total


def worth_of(algebra: Forms, factor: Factor, data: dict[str, int]) -> int:
    if factor.kind == "read":
        return data[factor.data[0]]
    if factor.kind == "rest":
        inside = worth(algebra, factor.data[1], data)
        assert inside.denominator == 1
        return int(inside) % int(factor.data[0])
    if factor.kind == "xor":
        found = 0
        for mono, coef in factor.data[1].terms.items():
            assert coef == 1 and [(algebra.factors[each].kind, power) for each, power in mono] == [("bits", 1)]
            found ^= int(worth(algebra, algebra.factors[mono[0][0]].data[1], data)) % 2**factor.data[0]
        return found
    assert factor.kind == "call"
    op, _, kinds = factor.data[0].partition(" ")
    values = [int(worth(algebra, each, data)) for each in factor.data[1]]
    if op == "cast":
        source, kind = next((a, b) for a in DATA.values() for b in DATA.values() if kinds == f"{a.name} {b.name}")
        return int(kind.wrap(source.wrap(values[0])))
    kind = next(each for each in DATA.values() if each.name == kinds)
    by = values[1] if op in ("<<", ">>") else kind.wrap(values[1])
    return int(arithmetic.binary(op, kind.wrap(values[0]), by, kind))


def drawn(dice: random.Random) -> dict[str, int]:
    """Elements: ends of types, small ones, any."""
    return {name: dice.choice((kind.low, kind.high, 0, kind.wrap(dice.randrange(-20, 300)),
                               dice.randrange(kind.low, kind.high + 1))) for name, kind in DATA.items()}


@pytest.mark.drawn(4)
def test_forms_are_worth_what_the_machine_computes(seed: int) -> None:
    """Modulo 2^bits, and where a form is said to be exact just that; within the ends that are known."""
    dice = random.Random(seed)
    rests = 0
    for _ in range(300):
        values, node = Values(), expression(dice, dice.randrange(1, 6))
        form = values.form(node, ())
        rests += any(factor.kind == "rest" for factor in values.algebra.factors)
        ends = values.algebra.ends(form)
        for _ in range(12):
            data = drawn(dice)
            try:
                want = computed(node, data)
            except arithmetic.Undefined:
                continue
            got = worth(values.algebra, form, data)
            assert got.denominator == 1 and (int(got) - want) % 2**node.type.bits == 0, (node, data)
            assert ends is None or ends[0] <= got <= ends[1]
            if lies_in(values.algebra, form, node.type):
                assert got == want
    assert rests > 60
