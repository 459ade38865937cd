"""Which of many tests are decided where something is known.

Input: tests of integers, each a factor of a form, and what is known. Output: those that hold for sure, and those that fail for
sure. Tests p + c <= 0 of one value p against several numbers c are a chain: one that holds makes all with smaller c hold, one
that fails makes all with larger c fail. So the last that holds and the first that fails are found by bisection: a scan of a
block leaves a test for each of its elements, and two dozen of them are two handfuls of questions. Sound by the order of the
integers alone. Many tests are decided as a whole or not at all: elements whose tests are alike are one range of a sum, which
one element without a test would part.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from automata.logic import poly as P
from automata.logic.poly import Formula
from equivalence.generic.form import Factor
from equivalence.generic.integers import Integers

MOST_CHAINS = 24
"""Chains of one form about which the solver is asked; tests that are fewer are decided one by one."""


def decided_tests(integers: Integers, under: Sequence[Formula], tests: Sequence[Factor]) -> dict[int, bool]:
    """Whether tests hold, by the numbers of their factors; those that are not decided are left out."""
    chains: dict[Hashable, list[tuple[int, int, Formula]]] = {}
    for test in tests:
        formula = test.data
        if isinstance(formula, P.Rel) and formula.sign == "<=":
            constant = formula.poly.terms.get((), 0)
            chains.setdefault(formula.poly.plus(-constant), []).append((constant, test.number, formula))
        else:
            chains[formula] = [(0, test.number, formula)]
    found: dict[int, bool] = {}
    if len(chains) <= MOST_CHAINS:
        for chain in chains.values():
            chain.sort(key=lambda link: link[0])
            for holds, links in ((True, chain), (False, chain[::-1])):
                found |= {number: holds for _, number, _ in links[:_how_many(integers, under, links, holds=holds)]}
    return found if len(tests) <= MOST_CHAINS or len(found) == len(tests) else {}


def _how_many(integers: Integers, under: Sequence[Formula], links: Sequence[tuple[int, int, Formula]], *, holds: bool) -> int:
    """How many tests of a chain are decided in one way, if each is only where all before it are."""
    low, high = 0, len(links)
    while low < high:
        middle = (low + high) // 2
        formula = links[middle][2]
        if integers.never([*under, P.neg(formula) if holds else formula]):
            low = middle + 1
        else:
            high = middle
    return low
