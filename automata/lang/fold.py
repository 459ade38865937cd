"""Constant folding on Core: known names replaced, operations on constants carried out.

Those of floats only where nothing is rounded: over the reals `1.0f / 3` is a third.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from automata import arithmetic
from automata.lang.core import Binary, Bits, Call, Cast, Const, Expr, Load, Select, Special, Unary, Var

Known = Mapping[str, int]


def fold_constants(expr: Expr, known: Known) -> Expr:
    """The expression with known names replaced and constant operations carried out."""
    match expr:
        case Const():
            return expr
        case Var(name=name, type=kind, place=place) | Special(name=name, type=kind, place=place):
            return Const(kind.wrap(known[name]), kind, place) if name in known and kind.is_int else expr
        case Unary() | Cast():
            return _fold_unary(expr, known)
        case Bits():
            return replace(expr, arg=fold_constants(expr.arg, known))
        case Binary():
            return _fold_binary(expr, known)
        case Select():
            test = fold_constants(expr.test, known)
            then, other = fold_constants(expr.then, known), fold_constants(expr.other, known)
            if isinstance(test, Const):
                return then if test.value else other
            return replace(expr, test=test, then=then, other=other)
        case Load():
            return replace(expr, index=tuple(fold_constants(part, known) for part in expr.index))
        case Call():
            return replace(expr, args=tuple(fold_constants(part, known) for part in expr.args))
    assert_never(expr)


def _fold_unary(expr: Unary | Cast, known: Known) -> Expr:
    arg = fold_constants(expr.arg, known)
    if not isinstance(arg, Const) or (isinstance(expr, Unary) and arithmetic.negates_the_least(expr.op, arg.value, arg.type)):
        return replace(expr, arg=arg)
    value = (arithmetic.unary(expr.op, arg.value, arg.type) if isinstance(expr, Unary)
             else arithmetic.cast(arg.value, arg.type, expr.type))
    if isinstance(expr, Cast) and expr.type.is_float and math.isfinite(arg.value) and value != arg.value:
        return replace(expr, arg=arg)
    return Const(value, expr.type, expr.place)


def _fold_binary(expr: Binary, known: Known) -> Expr:
    left, right = fold_constants(expr.left, known), fold_constants(expr.right, known)
    if isinstance(left, Const) and expr.op in ("&&", "||"):
        decided = bool(left.value) == (expr.op == "||")
        return Const(int(bool(left.value)), expr.type, expr.place) if decided else right
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            if arithmetic.overflows(expr.op, left.value, right.value, left.type):
                return replace(expr, left=left, right=right)
            value = arithmetic.binary(expr.op, left.value, right.value, left.type)
            if not (expr.type.is_float and arithmetic.is_rounded(expr.op, left.value, right.value, value)):
                return Const(value, expr.type, expr.place)
        except arithmetic.Undefined:
            pass
    return replace(expr, left=left, right=right)
