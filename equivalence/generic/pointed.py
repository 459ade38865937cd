"""What a relation among outputs is about, for all sizes: a generic point, and the elements that the relation names there.

Input: a relation (`equivalence.relation`), its parameters as integers of a comparison, and the extent of the array on its left.
Output: free integers, each from 0 up to its span; when there is such a point; and the index of each element, as a polynomial over
these. A quotient of a free integer is taken away by writing the integer as a multiple and a rest: k/n and k%n become integers
of their own with k = n·(k/n) + k%n, which every k is in exactly one way where n is positive. A quotient of what may be negative,
or by what may be zero, is refused, for C rounds towards zero.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from equivalence.generic.cells import in_range
from equivalence.generic.integers import ONE, ZERO, CannotFollow, Integers
from equivalence.generic.ranges import over
from equivalence.relation import Relation

MOST_SPLIT = 8


@dataclass(frozen=True)
class Point:
    """A generic point. `spans`: the free integers; `guard`: their ranges; `cells`: the index of each element, the left one
    first."""

    spans: dict[Atom, Poly]
    guard: Formula
    cells: list[Poly]


class Split(Exception):
    """A free integer has to be written as a multiple of a number and a rest."""

    def __init__(self, each: Atom, by: Poly) -> None:
        super().__init__(each, by)
        self.each, self.by = each, by


@dataclass
class Pointed:
    """How the point of a relation is made. `parameter`: the integer that a parameter is; `values`: of the variables; `spans`: the
    free integers; `more`: what else is known of them."""

    integers: Integers
    relation: Relation
    parameter: Callable[[str], Poly]
    values: dict[str, Poly] = field(default_factory=dict)
    spans: dict[Atom, Poly] = field(default_factory=dict)
    more: list[Formula] = field(default_factory=list)

    def point(self, size: Poly | None) -> Point:
        """The point. `size`: the extent of the array on the left; CannotFollow where that is needed and not known."""
        if not self.relation.ranges and size is None:
            left = self.relation.left
            raise CannotFollow(f"state how many elements {left.side}.{left.array} has, as in '// spmd: {left.array}[n]'")
        ends = [self.index(end) for _, end in self.relation.ranges] or [size or ZERO]
        for name, end in zip(self.relation.variables, ends, strict=True):
            self.values[name] = Poly.atom(self.free(name, end))
        for _ in range(MOST_SPLIT):
            try:
                cells = [self.index(each.index) for each in self.relation.elements()]
            except Split as step:
                self.split(step.each, step.by)
                continue
            return Point(dict(self.spans), P.conj(self.known()), cells)
        raise CannotFollow(f"the indices of the relation {self.relation.text}")

    def known(self) -> list[Formula]:
        return [*(part for each, span in self.spans.items() for part in in_range(Poly.atom(each), span)), *self.more]

    def free(self, text: str, span: Poly) -> Atom:
        """A free integer below its span."""
        most = span.constant
        found = self.integers.variable(("point", self.relation.text, text), text, 0, None if most is None else max(0, most - 1))
        self.spans[found] = span
        self.integers.given.add(found)
        return found

    def split(self, each: Atom, by: Poly) -> None:
        """Write a free integer as a multiple and a rest."""
        span = self.spans.pop(each)
        rest = self.free(f"{each.text}%{_told(by)}", by)
        whole = over(span, by)
        some = self.free(f"{each.text}/{_told(by)}", self.integers.floor(span + by - ONE, by) if whole is None else whole)
        made = Poly.atom(some) * by + Poly.atom(rest)
        self.values = {name: self.integers.put(value, {each: made}) for name, value in self.values.items()}
        self.more = [self.integers.put_formula(part, {each: made}) for part in self.more]
        if whole is None:
            self.more.append(P.lt(made, span))

    def index(self, node: ast.expr) -> Poly:
        match node:
            case ast.Name(id=name):
                return self.values[name] if name in self.values else self.parameter(name)
            case ast.Constant(value=int() as value):
                return Poly.number(value)
            case ast.UnaryOp(operand=operand):
                return self.index(operand).scale(-1)
            case ast.BinOp(left=left, op=op, right=right):
                one, two = self.index(left), self.index(right)
                match op:
                    case ast.Add():
                        return one + two
                    case ast.Sub():
                        return one - two
                    case ast.Mult():
                        return one * two
                whole = self.quotient(one, two, ast.unparse(node))
                return whole if isinstance(op, ast.Div) else one - two * whole
        raise AssertionError(ast.unparse(node))

    def quotient(self, value: Poly, by: Poly, text: str) -> Poly:
        """A quotient of what is not negative by what is positive; Split where a free integer of the value has to be written
        otherwise before."""
        known = self.known()
        if not all(self.integers.always(part, known) for part in (P.le(ONE, by), P.le(ZERO, value))):
            raise CannotFollow(f"'{text}' in a relation, of what may be negative, or by what may be zero")
        whole, rest = ZERO, ZERO
        for mono, coef in value.terms.items():
            part = over(Poly({mono: coef}), by)
            whole, rest = (whole + part, rest) if part is not None else (whole, rest + Poly({mono: coef}))
        if all(self.integers.always(part, known) for part in in_range(rest, by)):
            return whole
        for mono, coef in sorted(rest.terms.items()):
            for each in (each for each in mono if each in self.spans and mono.count(each) == 1):
                slope = Poly({tuple(other for other in mono if other != each): coef})
                step = over(by, slope)
                if step is not None and step != ONE and self.integers.always(P.le(ONE, step), known):
                    raise Split(each, step)
        return self.integers.floor(value, by)


def _told(by: Poly) -> str:
    text = repr(by)
    return text if text.isalnum() else f"({text})"
