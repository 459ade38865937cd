"""What a formula comes to at numbers, by its definition."""

from __future__ import annotations

from collections.abc import Mapping

from automata.logic.atom import Atom
from automata.logic.poly import And, Formula, Not, Or, Prop, Rel


def holds(formula: Formula, model: Mapping[Atom, int]) -> bool:
    """Whether a formula is true at numbers for its atoms; of a proposition, any but 0 says that it is."""
    match formula:
        case Rel(sign=sign, poly=poly):
            value = poly.value(model)
            return value <= 0 if sign == "<=" else value == 0
        case Prop(atom=each):
            return bool(model[each])
        case Not(arg=arg):
            return not holds(arg, model)
        case And(args=args):
            return all(holds(arg, model) for arg in args)
        case Or(args=args):
            return any(holds(arg, model) for arg in args)
    raise AssertionError(formula)
