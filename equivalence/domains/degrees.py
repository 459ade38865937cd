"""Bounds on the degrees of symbols as rational functions of the atoms, operation by operation.

A numerator and denominator of degrees n and d: sums have max(n1+d2, n2+d1) and d1+d2, products n1+n2 and d1+d2. An
atom, whatever it is made of, is a variable: degree 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from automata.lang.core import Binary, Call, Cast, Expr, Select, Unary
from automata.machine.domain import Degree
from equivalence.domains.functions import REAL, stem

ATOM: Degree = (1.0, 0.0)


def together(parts: Sequence[Degree]) -> Degree:
    """A sum."""
    top, bottom = parts[0]
    for n, d in parts[1:]:
        top, bottom = max(top + d, n + bottom), bottom + d
    return top, bottom


def product(parts: Sequence[Degree]) -> Degree:
    return sum(n for n, _ in parts), sum(d for _, d in parts)


def quotient(one: Degree, two: Degree) -> Degree:
    return one[0] + two[1], one[1] + two[0]


def degree(expr: Expr, parts: Sequence[Degree], *, understood: bool) -> Degree:
    """Of an operation's value: as if it were understood, which bounds that of an atom as well. `understood`: arithmetic of
    its type is carried out, so that what is made of constants is one."""
    match expr:
        case Binary(op="+" | "-" | "*" | "/") | Unary(op="-") if understood and not any(n or d for n, d in parts):
            return 0.0, 0.0
        case Binary(op="+" | "-" | "<" | "<=" | "==" | "!="):
            return _at_least(together(parts))
        case Binary(op="*" | "&&" | "||" | "<<" | "&" | "|" | "^"):
            return _at_least(product(parts))
        case Binary(op="/"):
            return _at_least(quotient(parts[0], parts[1]))
        case Unary() | Cast():
            return _at_least(parts[0])
        case Select():
            return together([product([_at_least(parts[0]), together(parts[1:])]), parts[2]])
        case Call(function=function):
            return _called(stem(function), parts)
    return ATOM


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


def _called(name: str, parts: Sequence[Degree]) -> Degree:
    if name in ("fmax", "fmin", "fabs"):
        return _at_least(together(parts))
    if name == "tanh":
        return 1.0, 1.0
    if name in REAL or any(word in name for word in ("fma", "add", "sub", "mul", "div")):
        total = 1.0 + sum(n + d for n, d in parts)
        return total, total
    return ATOM


def _at_least(one: Degree) -> Degree:
    return max(one[0], 1.0), one[1]
