"""Deep terms are encoded from below: what encodes a term calls itself for its parts, and calls may not nest as deeply."""

from __future__ import annotations

from typing import Protocol

from automata.logic.poly import Formula, Poly
from automata.logic.terms import Term
from automata.logic.views import View
from automata.scalar import Kind

DEEP = 60
"""From so many operations in each other on a term is deep."""


class Encodes(Protocol):
    """What turns terms into polynomials and formulas, and keeps them."""

    def knows(self, term: Term, view: View) -> bool: ...

    def truth(self, term: Term, view: View) -> Formula: ...

    def number(self, term: Term, view: View) -> Poly: ...


def from_below(encoder: Encodes, root: Term, view: View) -> None:
    """Encode what a deep term holds, the innermost first."""
    if root.depth < DEEP:
        return
    stack = [root]
    while stack:
        missing = [arg for arg in stack[-1].args if not encoder.knows(arg, view)]
        stack += missing[::-1]
        if not missing:
            term = stack.pop()
            if term is not root:
                (encoder.truth if term.type.kind is Kind.BOOL else encoder.number)(term, view)
