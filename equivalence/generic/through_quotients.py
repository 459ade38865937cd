"""Indices turned round in which a quotient of what is not known stands: floor(i / half)·2·half + i mod half = cell.

Input: an index in unknown integers, and the cell that it has to be. Output: guesses of the integers, as `invert` makes them; who
asks proves them. The idea: a quotient of v by s says two digits of v, g = floor(v / s) and j = v mod s. So an index in which
v stands beside its quotient is written in g and j, these are found, and s·g + j is what v has to be. Where the cell has a
quotient by s too, both may be of one number: so two sides that number butterflies alike meet without more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from automata.logic.atom import Atom
from automata.logic.inversion import Solution, invert
from automata.logic.poly import Poly
from automata.logic.quotients import multiple
from equivalence.generic.integers import ZERO, Integers

MOST_QUOTIENTS = 2
"""Quotients in each other, or beside each other, that are taken apart."""
UNBOUNDED = Poly.number(1 << 40)
"""The span of a digit that has none above it."""


def inverted(index: Poly, cell: Poly, spans: Mapping[Atom, Poly], integers: Integers,
             depth: int = MOST_QUOTIENTS) -> Iterator[Solution]:
    """Coordinates at which an index could be a cell, likeliest first."""
    encoder = integers.encoder
    inside = [each for each in sorted(index.atoms() & encoder.floors.keys()) if not integers.within(each).isdisjoint(spans)]
    if not inside:
        yield from invert(index, cell, spans, encoder)
    elif depth:
        for each in inside:
            value, size = encoder.floors[each]
            if any(not integers.within(part).isdisjoint(spans) for part in size.atoms()):
                continue
            for other in sorted(cell.atoms() & encoder.floors.keys()):
                if encoder.floors[other][1] == size:
                    yield from inverted(value, encoder.floors[other][0], spans, integers, depth - 1)
            for found, others in _of_digits(index, each, cell, spans, integers):
                yield from ({**others, **more} for more in inverted(value, found, spans, integers, depth - 1))


def _of_digits(index: Poly, each: Atom, cell: Poly, spans: Mapping[Atom, Poly],
               integers: Integers) -> Iterator[tuple[Poly, Solution]]:
    """What is divided, of an index of its two digits, and what else in it is not known."""
    value, size = integers.encoder.floors[each]
    lead = next((part for part in sorted(value.atoms()) if value.coefficient(part).constant in (1, -1)), None)
    if lead is None:
        return
    whole, rest = (integers.variable(("digit", name, each), name) for name in ("whole", "rest"))
    made = size * Poly.atom(whole) + Poly.atom(rest)
    sign = value.coefficient(lead).constant or 1
    instead = {lead: (made - value.replace({lead: ZERO})).scale(sign), each: Poly.atom(whole)}
    written = index.replace(instead)
    if lead in written.atoms() or written.atoms() & value.atoms() - size.atoms():
        return
    others = {name: spans[name] for name in sorted(written.atoms() & spans.keys())}
    above = _span_below(written, whole, others)
    for found in invert(written, cell, {whole: above, rest: size, **others}, integers.encoder):
        if whole in found and rest in found:
            yield size * found[whole] + found[rest], {name: found[name] for name in others if name in found}


def _span_below(index: Poly, digit: Atom, others: Mapping[Atom, Poly]) -> Poly:
    """How many values a digit has, if the next larger stride is what it leaves room for; it has no end where there is none."""
    own = index.coefficient(digit)
    steps = [step for name in others if (step := multiple(index.coefficient(name), own)) is not None and step != Poly.number(1)]
    return min(steps, key=lambda step: (step.degree, step.key()), default=UNBOUNDED)
