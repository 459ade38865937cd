"""Tests made of comparisons: which of two values they choose.

Input: comparisons and what "not", "and" and "or" make of them, each known by the symbol of its truth. Output: of such a test
a pair of values such that it holds wherever the first is smaller and fails wherever it is larger; and what it says where the
two are the same: that it holds, that it fails, or another comparison (of indices, say), which then decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

Symbol = bytes
Choice = tuple[Symbol, Symbol, Symbol]
"""A test, and what a value is where it holds, and where it does not."""

MOST_DEPTH, MOST_CHOICES = 3, 4
MOST_PARTS = 24
"""Comparisons in a test that is looked into."""


class Test(NamedTuple):
    """`op`: "<" or "==" of two values, whose type is `kind`; or "!", "&&", "||", "^" of tests."""

    op: str
    parts: tuple[Symbol, ...]
    kind: str = ""


class Literal(NamedTuple):
    """A comparison, or that it fails."""

    test: Test
    holds: bool


class Chosen(NamedTuple):
    """A test that holds where `small` < `large` and fails where `large` < `small`; `tie`: what it is where they are the same."""

    kind: str
    small: Symbol
    large: Symbol
    tie: bool | Literal


@dataclass
class Comparisons:
    """All tests that are known by their symbols.

    `truths`: the symbols of what holds and what fails; `choices`: ways in which a value is one of two; `extreme`: says of a value
    whether it is the larger of two, the smaller, or neither; `depth`: how many of them are looked into just now.
    """

    tests: dict[Symbol, Test] = field(default_factory=dict)
    truths: dict[Symbol, bool] = field(default_factory=dict)
    choices: dict[Symbol, list[Choice]] = field(default_factory=dict)
    extreme: Callable[[str, Symbol, tuple[Symbol, Symbol]], bool | None] = lambda *parts: None
    depth: int = 0

    def note(self, symbol: Symbol, test: Test) -> None:
        if symbol not in self.truths:
            self.tests.setdefault(symbol, test)

    def note_choice(self, symbol: Symbol, choice: Choice) -> None:
        known = self.choices.setdefault(symbol, [])
        if choice not in known and len(known) < MOST_CHOICES:
            known.append(choice)

    def chosen(self, symbol: Symbol) -> Iterator[Chosen]:
        """The ways to read a test as a choice between two values."""
        atoms = list(dict.fromkeys(self._atoms(symbol)))
        if len(atoms) > MOST_PARTS:
            return
        for kind, pair in dict.fromkeys((atom.kind, atom.parts) for atom in atoms if atom.op == "<"):
            for small, large in (pair, pair[::-1]):
                below, tie, above = (self._where(symbol, kind, (small, large), relation) for relation in ("<", "==", ">"))
                if below is True and above is False and tie is not None:
                    yield Chosen(kind, small, large, tie)

    def _atoms(self, symbol: Symbol) -> Iterator[Test]:
        """The comparisons of a test; whatever else it hangs on is none."""
        seen: set[Symbol] = set()
        left = [symbol]
        while left and len(seen) <= 4 * MOST_PARTS:
            at = left.pop()
            test = self.tests.get(at)
            if test is None or at in seen:
                continue
            seen.add(at)
            if test.op in ("<", "=="):
                yield test
            else:
                left += reversed(test.parts)

    def _where(self, symbol: Symbol, kind: str, pair: tuple[Symbol, Symbol], relation: str) -> bool | Literal | None:
        """What a test comes to where two values are in a relation; None: more than one comparison decides."""
        test = self.tests.get(symbol)
        if test is None:
            return self.truths.get(symbol)
        if test.op in ("<", "=="):
            parts = tuple(self._side(part, kind, pair, relation) for part in test.parts)
            if parts[0] == parts[1]:
                return test.op == "=="
            if test.kind == kind and set(parts) == set(pair):
                return relation == ("==" if test.op == "==" else "<" if parts == pair else ">")
            return Literal(test._replace(parts=parts), holds=True)
        results = [self._where(part, kind, pair, relation) for part in test.parts]
        if test.op == "!":
            return _opposite(results[0])
        if test.op == "^":
            for known, other in (results, reversed(results)):
                if isinstance(known, bool):
                    return _opposite(other) if known else other
            return None
        decides = test.op == "||"
        if any(part is decides for part in results):
            return decides
        left = list(dict.fromkeys(part for part in results if part is not (not decides)))
        return not decides if not left else left[0] if len(left) == 1 else None

    def _side(self, symbol: Symbol, kind: str, pair: tuple[Symbol, Symbol], relation: str) -> Symbol:
        """A value; where it is one of two and the relation says which, that one."""
        if symbol in pair or self.depth >= MOST_DEPTH:
            return symbol
        self.depth += 1
        found = symbol
        is_max = self.extreme(kind, symbol, pair)
        if is_max is not None:
            found = pair[(relation == "<") == is_max]
        for test, then, other in self.choices.get(symbol, ()) if is_max is None else ():
            holds = self._where(test, kind, pair, relation)
            if isinstance(holds, bool):
                found = self._side(then if holds else other, kind, pair, relation)
                break
        self.depth -= 1
        return found


def _opposite(part: bool | Literal | None) -> bool | Literal | None:
    match part:
        case bool():
            return not part
        case Literal(test, holds):
            return Literal(test, not holds)
    return None
