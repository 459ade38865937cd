"""Expressions of a launch as terms: over sizes, parameters and integer arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

from automata.lang import core
from automata.lang.core import Expr
from automata.logic import terms as T
from automata.logic.terms import Term
from automata.place import InputError


def evaluate(expr: Expr, values: Mapping[str, Term]) -> Term:
    """The term of a launch expression, which has no loads."""
    match expr:
        case core.Const(value=value, type=kind):
            return T.const(value, kind)
        case core.Var(name=name) | core.Special(name=name):
            if name not in values:
                raise InputError(f"'{name}' is not known here")
            return T.cast(values[name], expr.type)
        case core.Unary(op=op, arg=arg):
            return T.unary(op, evaluate(arg, values))
        case core.Cast(arg=arg, type=kind):
            return T.cast(evaluate(arg, values), kind)
        case core.Binary(op=op, left=left, right=right):
            return T.binary(op, evaluate(left, values), evaluate(right, values))
        case core.Select(test=test, then=then, other=other):
            return T.select(evaluate(test, values), evaluate(then, values), evaluate(other, values))
    raise InputError("a launch expression uses only parameters, sizes and integer arithmetic")
