"""Launches looked at in turn: all combinations of a few numbers of each size, those that meet every requirement.

A part of a term is computed again only where a size that stands in it has changed, and numbers of the first sizes that break a
requirement of theirs are not gone through with those of the others. So the order, and what is found, are those of all
combinations one by one. The idea is that of moving what does not change out of nested loops (Aho, Lam, Sethi, Ullman,
*Compilers*, 9.5.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from automata.logic import terms as T
from automata.logic.terms import Symbol, Term
from automata.proof.known.evaluation import Operation, operation_of

Range = tuple[str, Term, Term]
"""The least and the largest number that a size may be."""


class InTurn:
    """Combinations of sizes. `choices`: the numbers each may be, the last one changes first; `derived`: the sizes that others
    fix; `ranges`, `required`: what a combination meets."""

    def __init__(self, choices: Mapping[str, Sequence[int]], derived: Mapping[str, Term], ranges: Sequence[Range],
                 required: Sequence[Term]) -> None:
        self.names, self.choices, self.derived = list(choices), list(choices.values()), derived
        self.behind = [prod(map(len, self.choices[at:])) for at in range(len(self.choices) + 1)]
        self.steps: list[list[tuple[int, Operation, list[int]]]] = [[] for _ in self.behind]
        self.tests: list[list[tuple[int, ...]]] = [[] for _ in self.behind]
        self.values: list[int | None] = []
        self.depths: list[int] = []
        self._known: dict[int, int] = {}
        self._sizes = {name: self._place(None, at + 1) for at, name in enumerate(self.names)}
        self.given = [(name, self._size(name)) for name in (*self.names, *derived)]
        for name, low, high in ranges:
            self._test(self._size(name), self._of(low), self._of(high))
        for term in required:
            self._test(self._of(term))

    def _place(self, value: int | None, depth: int) -> int:
        self.values.append(value)
        self.depths.append(depth)
        return len(self.values) - 1

    def _size(self, name: str) -> int:
        """The place of a size; one that nobody gives has no number."""
        if name not in self._sizes:
            self._sizes[name] = self._of(self.derived[name]) if name in self.derived else self._place(None, 0)
        return self._sizes[name]

    def _of(self, term: Term) -> int:
        """The place of a term's number."""
        for node in T.subterms(term):
            if node.serial not in self._known:
                self._known[node.serial] = self._new(node)
        return self._known[term.serial]

    def _new(self, node: Term) -> int:
        if node.op == "sym":
            assert isinstance(node.data, Symbol)
            return self._size(node.data.name)
        args = [self._known[arg.serial] for arg in node.args]
        depth = max((self.depths[arg] for arg in args), default=0)
        operation, place = operation_of(node), self._place(None, depth)
        if node.args:
            self.steps[depth].append((place, operation, args))
        else:
            self.values[place] = operation()
        return place

    def _test(self, *places: int) -> None:
        self.tests[max(self.depths[place] for place in places)].append(places)

    def admitted(self, tried: int) -> Iterator[dict[str, int]]:
        """Those of the first so many combinations that meet what is required."""
        self.left = tried
        if self._holds(0):
            yield from self._from(0)

    def _from(self, depth: int) -> Iterator[dict[str, int]]:
        if depth == len(self.names):
            self.left -= 1
            yield {name: value for name, place in self.given if (value := self.values[place]) is not None}
            return
        place = self._sizes[self.names[depth]]
        for value in self.choices[depth]:
            if self.left <= 0:
                return
            self.values[place] = value
            if self._holds(depth + 1):
                yield from self._from(depth + 1)
            else:
                self.left -= self.behind[depth + 1]

    def _holds(self, depth: int) -> bool:
        """Compute what is known here, and whether it is as required."""
        values = self.values
        for place, operation, args in self.steps[depth]:
            values[place] = operation(*[values[arg] for arg in args])
        return all(self._meets([values[place] for place in places]) for places in self.tests[depth])

    def _meets(self, found: Sequence[int | None]) -> bool:
        if len(found) == 1:
            return bool(found[0])
        value, low, high = found
        return value is not None and low is not None and high is not None and low <= value <= high
