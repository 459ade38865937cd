"""What is required of single elements of arrays, said of each element that a comparison for all sizes speaks of.

Input: requirements such as `0 <= data[i] && data[i] < 64`, over sizes. Output: facts about an element. A comparison also speaks
of elements that no thread reads (of any cell, in any round), and of those nothing may be required that no number meets: else
everything would follow, at sizes where nothing is read. So one number is chosen that meets all requirements of an array as far
as they hang on no size, and each of them is said as "if it holds of that number, it holds of the element".
"""

from __future__ import annotations

from collections.abc import Sequence

from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.poly import Formula, Poly
from automata.logic.terms import Term
from automata.logic.views import View, atom_of
from automata.proof.known.context import Context

TRIED = range(128)
"""Numbers that are tried: those that every type of integers has."""

Rule = tuple[Term, Term]
"""A test, and what stands for the element in it."""


class Required:
    """The facts. `rules`: of each array."""

    def __init__(self, encoder: Encoder, contexts: Sequence[Context]) -> None:
        self.encoder = encoder
        self.rules: dict[str, list[Rule]] = {}
        for context in contexts:
            for each, offsets, test, slots in context.facts.rules if context.facts is not None else ():
                if each.kind == "each" and len(slots) == 1 and each.elements[0].is_moving and len(offsets) == 1:
                    self.rules.setdefault(each.elements[0].array, []).append((test, slots[0]))
        self.chosen = {array: self.number_of(rules) for array, rules in self.rules.items()}

    def number_of(self, rules: Sequence[Rule]) -> int | None:
        """A number that meets all that hangs on no size."""
        return next((each for each in TRIED if P.FALSE not in [self.at(rule, Poly.number(each)) for rule in rules]), None)

    def at(self, rule: Rule, value: Poly) -> Formula:
        """A requirement of one value."""
        test, slot = rule
        view = View(f"required{self.encoder.fresh()}", "element")
        self.encoder.bindings[atom_of(slot, view)] = value
        return self.encoder.truth(test, view)

    def of(self, array: str, element: Poly) -> list[Formula]:
        """What is known of an element of an array."""
        number = self.chosen.get(array)
        if number is None:
            return []
        return [P.implies(self.at(rule, Poly.number(number)), self.at(rule, element)) for rule in self.rules[array]]
