"""What assignments add to a local, as it shows in their expressions: steps of counters, terms of sums."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from automata.lang.core import Assign, Binary, Call, Cast, Expr, Var
from automata.lang.effects import variables

_FUSED = re.compile(r"(__)?fmaf?(_r[nzud])?$|mad$")


@dataclass(frozen=True)
class Term:
    """What a sum takes in: one factor or the product of two, subtracted where not `positive`; a product that is not rounded
    before it is added is fused."""

    positive: bool
    one: Expr
    two: Expr | None = None
    is_fused: bool = False

    @property
    def product(self) -> Expr:
        return self.one if self.two is None else Binary("*", self.one, self.two, self.one.type, self.one.place)


def growth(expr: Expr, name: str, bits: int) -> tuple[bool, Expr] | None:
    """What an expression adds to a name, or takes from it, modulo 2^bits."""
    match expr:
        case Cast(arg=arg, type=kind) if kind.is_int and kind.bits >= bits and arg.type.is_int:
            return growth(arg, name, bits)
        case Binary(op="+" | "-" as op, left=left, right=right, type=kind) if kind.is_int and kind.bits >= bits:
            if _is_name(left, name, bits) and name not in variables(right):
                return op == "+", right
            return (True, left) if op == "+" and _is_name(right, name, bits) and name not in variables(left) else None
    return None


def _is_name(expr: Expr, name: str, bits: int) -> bool:
    while isinstance(expr, Cast) and expr.type.is_int and expr.type.bits >= bits and expr.arg.type.is_int:
        expr = expr.arg
    return isinstance(expr, Var) and expr.name == name


def sum_of(stmts: Sequence[Assign], own: set[str]) -> tuple[Term, ...]:
    """What the statements of a carried stage add to one local, if that is all they do; in the end its last version is read."""
    terms: list[Term] = []
    for stmt in stmts:
        found = _term(stmt.value, own)
        if found is None:
            return ()
        terms.append(found)
    return tuple(terms)


def _term(expr: Expr, own: set[str]) -> Term | None:
    """`version + term`, in any of its forms."""
    match expr:
        case Binary(op="+" | "-" as op, left=Var(name=name), right=right) if name in own and not variables(right) & own:
            return _factors(op == "+", right)
        case Binary(op="+", left=left, right=Var(name=name)) if name in own and not variables(left) & own:
            return _factors(True, left)
        case Call(function=function, args=(one, two, Var(name=name))) if (
                name in own and _FUSED.match(function) and not (variables(one) | variables(two)) & own):
            return Term(True, one, two, is_fused=True)
    return None


def _factors(positive: bool, expr: Expr) -> Term:
    if isinstance(expr, Binary) and expr.op == "*":
        return Term(positive, expr.left, expr.right)
    return Term(positive, expr)
