"""What is inside of a form: the integers that it is made of, and what stands there for values that loops carry.

Forms share their factors, and a factor may hold hundreds of others (the maximum of a row, in every exponential). So what is asked
of one integer passes by factors that do not hang on it, and what is the same whoever asks is kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from equivalence.generic.form import Factor, Form
from equivalence.generic.powers import Powers


class Inside(Powers):
    """Forms that can be looked into."""

    _markers: dict[int, frozenset[int]]

    def polys(self, form: Form, on: Atom | None = None) -> Iterator[tuple[tuple[object, ...], Poly]]:
        """The integers inside of a form, with what they are for: indices first. `on`: all that hang on it, and few others."""
        for mono in sorted(form.terms):
            for number, _ in mono:
                factor = self.factors[number]
                if on is None or any(on in self.integers.within(each) for each in factor.atoms):
                    yield from self.polys_of(factor, on)

    def polys_of(self, factor: Factor, on: Atom | None) -> Iterator[tuple[tuple[object, ...], Poly]]:
        data, parts = factor.data, inner_forms(factor)
        if factor.kind == "read":
            yield ("read", data[0]), data[2]
        elif factor.kind == "size":
            yield ("size",), Poly.atom(data)
        elif factor.kind == "power":
            yield ("power", *data[:2]), data[2]
        elif factor.kind == "pair" and (place := self.integer_of(data[1][1])) is not None:
            yield ("place",), place
            parts = parts[:1]
        for part in parts:
            yield from self.polys(part, on)
        for test in inner_tests(factor):
            for leaf in P.relations([test]):
                yield ("test",), leaf.poly

    def markers_in(self, form: Form) -> frozenset[int]:
        """The factors in a form, and inside of its factors, that stand for what loops carry."""
        return frozenset().union(*(self._markers_of(number) for mono in form.terms for number, _ in mono))

    def _markers_of(self, number: int) -> frozenset[int]:
        if number not in self._markers:
            factor = self.factors[number]
            self._markers[number] = frozenset((number,)) if factor.kind in ("hole", "after") else (
                frozenset().union(*map(self.markers_in, inner_forms(factor))))
        return self._markers[number]


def inner_forms(factor: Factor) -> list[Form]:
    """The forms that a factor is made of."""
    data = factor.data
    match factor.kind:
        case "truth":
            return list(data[2])
        case "call" | "pair":
            return list(data[1])
        case "poly":
            return [data]
        case "rest" | "bits" | "xor":
            return [data[1]]
        case "exp":
            return [Form({data[1]: 1})]
        case "power":
            return [Form({((data[1], 1),): 1})] if data[0] else []
        case "sum":
            return [data.body]
        case "max" | "min" | "place":
            return [each.body for each in data[1]]
        case "fold":
            return [form for part in data[1] for form in part]
    return []


def inner_tests(factor: Factor) -> list[Formula]:
    """The tests of integers that a factor is made of."""
    data = factor.data
    match factor.kind:
        case "test":
            return [data]
        case "sum":
            return [data.where]
        case "max" | "min" | "place":
            return [each.where for each in data[1]]
        case "fold":
            return [data[2]]
    return []
