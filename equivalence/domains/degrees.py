"""Bounds on the size of symbols as rational functions of the atoms, operation by operation. An atom, whatever it is made of, is
a variable."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from automata.lang.core import COMPARISONS, Binary, Call, Cast, Expr, Select, Unary
from automata.machine.symbols.domain import ATOM, NOTHING, Degree
from automata.scalar import BOOL
from equivalence.domains.functions import REAL, stem

MOST_BITS = 16.0
TEST = Degree(1.0, 0.0, 1.0)
"""Of an atom, or of 1 less one."""


def together(parts: Sequence[Degree]) -> Degree:
    """A sum."""
    return reduce(Degree.plus, parts)


def degree(expr: Expr, parts: Sequence[Degree], number: Degree, *, understood: bool, compared: Degree = NOTHING) -> Degree:
    """Of an operation's value: as if it were understood, which bounds that of an atom as well. `number`: of any number;
    `understood`: arithmetic of its type is carried out, so that what is made of constants is one; `compared`: of all that was
    compared so far. A comparison is an atom, or 1 less one; a choice by it may be a maximum less what is compared, besides."""
    match expr:
        case Binary(op="+" | "-"):
            made = together(parts)
        case Binary() if compares(expr):
            return TEST
        case Binary(op="*" | "&&" | "||" | "<<" | "&" | "|" | "^" | "<" | "<=" | "==" | "!="):
            made = parts[0].times(parts[1])
            if expr.op != "*":
                made = made.chosen(0.5)._replace(top=made.top)
        case Binary(op="/") if parts[1] == number or is_whole(parts[1]):
            made = parts[0].shared(parts[1].halves)
        case Binary(op="/"):
            made = parts[0].times(parts[1].inverse())
        case Unary() | Cast():
            made = parts[0].plus(NOTHING)
        case Select():
            chosen = _at_least(parts[0]).times(together(parts[1:])).plus(parts[2]).chosen(1)
            return chosen.or_larger(parts[2].plus(together((compared, compared, ATOM))).chosen(1))
        case Call(function=function):
            return _called(stem(function), parts)
        case _:
            return ATOM
    is_number = understood and isinstance(expr, Binary | Unary) and expr.op in ("+", "-", "*", "/")
    return made if is_number and not any(part.top or part.bottom for part in parts) else _at_least(made)


def compares(expr: Expr) -> bool:
    """Whether an operation compares numbers."""
    return isinstance(expr, Binary) and expr.op in COMPARISONS and expr.left.type != BOOL


def is_whole(part: Degree) -> bool:
    """Whether a value is some whole number, of a size that all numbers up to it may be thought of."""
    return not any((part.top, part.bottom, part.halves, part.parts)) and part.over <= MOST_BITS


def makes_atoms(expr: Expr) -> bool:
    """Whether an operation may make atoms of its operands' values, in some reading: all but arithmetic and exponentials."""
    match expr:
        case Binary(op="+" | "-" | "*"):
            return False
        case Binary(op="/", type=kind):
            return kind.is_int
        case Call(function=function):
            return stem(function) not in {"exp", "exp2", "exp10", "expm1", "tanh", "fma", "mad"}
    return True


def key(parts: Sequence[Degree]) -> Degree:
    """Of what tells atoms apart that an operation makes of such operands: each of them, or what two differ by."""
    return together(parts).or_larger(*parts)


def _called(name: str, parts: Sequence[Degree]) -> Degree:
    if name in ("fmax", "fmin", "fabs"):
        return _at_least(parts[0]).or_larger(*parts).plus(ATOM.copies(2 if name == "fabs" else 1))
    if name == "tanh":
        return Degree(1.0, 1.0, 1.0, 1.0)
    if name in REAL or any(word in name for word in ("fma", "add", "sub", "mul", "div")):
        total = reduce(Degree.times, [part.or_larger(part.inverse()) for part in parts], ATOM).chosen(2)
        return total.or_larger(total.inverse())
    return ATOM


def _at_least(one: Degree) -> Degree:
    """An atom may stand for it."""
    return one.or_larger(ATOM)
