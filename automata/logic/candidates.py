"""A candidate model of the linearised query made one of the query itself.

Input: the formulas of a query, and a model of them in which every product is a variable of its own. Output: a model of the
formulas as they are, or None, which says nothing.

One idea: where some factors of the products have numbers, the others stand alone, and what is left is linear. The numbers are
those of the candidate, which suit everything but the products. The solver is asked about the formulas themselves, so what it
finds holds for the products, too. Where it finds nothing the factors may have other numbers, so that proves nothing.

Sizes are given numbers first, and of those the ones in most products: thread numbers and what is divided stay open.
Source: incremental linearisation (Cimatti, Griggio, Irfan, Roveri, Sebastiani, TOCL 2018) repairs its models in a similar way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import cycle

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Monomial, Poly
from automata.logic.smt import Sat, solve
from automata.logic.views import Application


def confirmed(formulas: Sequence[Formula], applications: Mapping[Atom, Application], candidate: Sat,
              milliseconds: int) -> Sat | None:
    """A model of some formulas that gives factors of their products the numbers of a candidate."""
    numbers = {each: candidate.model[each] for each in factors(formulas) if each in candidate.model}
    if not numbers:
        return None
    given = [P.eq(Poly.atom(each), Poly.number(value)) for each, value in numbers.items()]
    answer = solve([*formulas, *given], applications, milliseconds=milliseconds)
    return answer if isinstance(answer, Sat) else None


GENERIC = 97, 89, 83, 79, 73, 71, 67, 61
"""Sizes at which places seldom meet by chance, as they do at 0 and 1."""


def fitting(formulas: Sequence[Formula], candidate: Sat, intervals: Mapping[Atom, tuple[int, int]],
            milliseconds: int) -> Sat | None:
    """Some model of formulas, for who reads only that there is one: the factors of their products have generic numbers where that
    is possible, else those of the candidate, and what is left is linear."""
    held = factors(formulas)
    suited = {each: candidate.model.get(each, 0) for each in held}
    generic = {each: max(low, min(number, high)) for each, number in zip(held, cycle(GENERIC), strict=False)
               for low, high in [intervals.get(each, (number, number))]}
    for numbers in (generic, suited):
        instead = {each: Poly.number(number) for each, number in numbers.items()}
        put = partial(Poly.replace, mapping=instead)
        left = [P.map_polys(formula, put) for formula in formulas]
        answer = solve(left, {}, milliseconds=milliseconds, is_linear=True)
        if isinstance(answer, Sat):
            return Sat({**answer.model, **numbers})
    return None


def factors(formulas: Iterable[Formula]) -> list[Atom]:
    """Atoms without which no product of two is left: sizes before others, and those first that are in most products."""
    products: set[Monomial] = {mono for leaf in P.relations(formulas) for mono in leaf.poly.terms if len(mono) > 1}
    found: list[Atom] = []
    while products:
        counts = Counter(each for mono in products for each in set(mono))
        best = min(counts, key=lambda each: (bool(each.owners), -counts[each], each))
        found.append(best)
        rest = (tuple(each for each in mono if each != best) for mono in products)
        products = {mono for mono in rest if len(mono) > 1}
    return found
