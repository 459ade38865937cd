"""What is required of sizes, in other words: as multiples, as numbers, with quotients rounded down.

Input: the integers of a comparison. Output: none; its `required` is rewritten, and what stands for which atom is noted in
`written`, for what else is made of them (`Integers.rewritten`).
"""

from __future__ import annotations

from collections.abc import Mapping

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from equivalence.generic.integers import ONE, ZERO, Integers


def write_multiples(integers: Integers) -> None:
    """Write sizes that are required to be multiples of a number as that number times another one, and those that are required
    to be one number as that."""
    integers.written |= {each: Poly.number(value) for each, value in integers.pinned.items()}
    for part in integers.required:
        for each, by in multiples_in(part, integers):
            if integers.always(P.le(ZERO, Poly.atom(each))):
                most = integers.encoder.interval(Poly.atom(each))[1]
                whole = integers.variable(("whole", each, by), f"{each.text}/{by}", 0, most // by, is_size=True)
                integers.written[each] = Poly.atom(whole).scale(by)
    if integers.written:
        _rewrite(integers)


def write_numbers(integers: Integers, numbers: Mapping[Atom, int]) -> None:
    """Write sizes as numbers."""
    integers.written |= {each: Poly.number(value) for each, value in numbers.items()}
    if numbers:
        _rewrite(integers)


def write_floors(integers: Integers) -> None:
    """Write quotients as those rounded down, as kernels' are, where they are of what is not negative by what is positive."""
    floors, roots = integers.encoder.floors, integers.encoder.roots
    inside = _quotients(integers)
    integers.firm |= {each for each in inside if _is_rounded_down(each, integers)}
    found: dict[Atom, Poly] = {}
    for each in sorted(inside & integers.firm, key=lambda each: len(integers.within(each))):
        if not any(part in roots and part not in integers.firm for part in integers.within(each)):
            found[each] = integers.floor(*(integers.put(part, found) for part in floors[each]))
    integers.require([P.map_polys(part, lambda value: value.replace(found)) for part in integers.required])
    integers.written |= found


def _rewrite(integers: Integers) -> None:
    integers.firm = frozenset(each for each in _quotients(integers) if _is_rounded_down(each, integers))
    integers.forget()
    integers.require([integers.put_formula(part, integers.written) for part in integers.required])


def _quotients(integers: Integers) -> frozenset[Atom]:
    """The quotients of sizes in what is required, and those inside of them."""
    atoms = {each for part in integers.required for each in P.atoms(part)}
    return frozenset[Atom]().union(*map(integers.within, atoms)) & integers.encoder.roots.keys()


def _is_rounded_down(each: Atom, integers: Integers) -> bool:
    """Whether a quotient, C's, is that rounded down wherever sizes are as required."""
    value, size = integers.encoder.floors[each]
    return integers.always(P.le(ZERO, value)) and integers.always(P.le(ONE, size))


def multiples_in(part: Formula, integers: Integers) -> list[tuple[Atom, int]]:
    """The size of which a requirement says that it is a multiple: v - m·floor(v / m) == 0."""
    floors = integers.encoder.floors
    if isinstance(part, P.Rel) and part.sign == "==":
        for quotient in part.poly.atoms() & floors.keys():
            value, size = floors[quotient]
            only, by = (next(iter(value.atoms()), None) if len(value.terms) == 1 else None), size.constant
            if only is not None and by and value == Poly.atom(only) and only not in floors and (
                    only not in integers.written and part.poly in (value - Poly.atom(quotient).scale(by),
                                                                   Poly.atom(quotient).scale(by) - value)):
                return [(only, by)]
    return []
