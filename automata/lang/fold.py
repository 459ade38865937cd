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
    """The expression with known names replaced and constant operations carried out; itself, where there is nothing to do."""
    match expr:
        case Const():
            return expr
        case Var(name=name, type=kind, place=place) | Special(name=name, type=kind, place=place):
            return Const(kind.wrap(known[name]), kind, place) if name in known and kind.is_int else expr
        case Unary() | Cast():
            return _fold_unary(expr, known)
        case Bits():
            arg = fold_constants(expr.arg, known)
            return expr if arg is expr.arg else replace(expr, arg=arg)
        case Binary():
            return _fold_binary(expr, known)
        case Select():
            test = fold_constants(expr.test, known)
            then, other = fold_constants(expr.then, known), fold_constants(expr.other, known)
            if isinstance(test, Const):
                return then if test.value else other
            is_same = test is expr.test and then is expr.then and other is expr.other
            return expr if is_same else replace(expr, test=test, then=then, other=other)
        case Load():
            index = _all(expr.index, known)
            return expr if index is expr.index else Load(expr.array, index, expr.type, expr.place)
        case Call():
            args = _all(expr.args, known)
            return expr if args is expr.args else replace(expr, args=args)
    assert_never(expr)


def _all(parts: tuple[Expr, ...], known: Known) -> tuple[Expr, ...]:
    """Some expressions folded; the same tuple, where there is nothing to do."""
    found = [fold_constants(part, known) for part in parts]
    return tuple(found) if any(new is not old for new, old in zip(found, parts, strict=True)) else parts


def _fold_unary(expr: Unary | Cast, known: Known) -> Expr:
    arg = fold_constants(expr.arg, known)
    if not isinstance(arg, Const) or (isinstance(expr, Unary) and arithmetic.negates_the_least(expr.op, arg.value, arg.type)):
        return expr if arg is expr.arg else replace(expr, arg=arg)
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
                return _with(expr, left, right)
            value = arithmetic.binary(expr.op, left.value, right.value, left.type)
            if not (expr.type.is_float and arithmetic.is_rounded(expr.op, left.value, right.value, value)):
                return Const(value, expr.type, expr.place)
        except arithmetic.Undefined:
            pass
    return _with(expr, left, right)


def _with(expr: Binary, left: Expr, right: Expr) -> Binary:
    if left is expr.left and right is expr.right:
        return expr
    return Binary(expr.op, left, right, expr.type, expr.place)
